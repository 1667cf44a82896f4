import type { Host } from '../../app/host.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { LastChange, UnkeptCall } from '../../core/call/last-change.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import { printableLine } from '../../core/text/printable.ts'
import { askYes } from '../approval/prompt.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import type { Cli, CommonOptions } from '../terminal/front-end.ts'
import { showMoment } from '../terminal/since.ts'
import { findCallOrSession } from './find-id.ts'
import { wrapFor } from './report-problem.ts'

/** The calls to undo, or why there are none. */
export type UndoChoice = { readonly calls: readonly string[] } | Failure

/** The calls that an id, or the start of one, stands for. */
export async function chooseNamed({ log, undoable }: Host, given: string): Promise<UndoChoice> {
  const found = await findCallOrSession(log, given)
  if ('problem' in found) {
    const { code, text, details } = found.problem
    return failure(code, text, details && { details })
  }
  const calls = await undoable(found.id)
  if (calls.length > 0) return { calls }
  return failure('FILE_NOT_FOUND', `${found.id} changed no file that could be put back.`)
}

/** The last change in the workspace. Newer ones that cannot be undone are named, and an older one is undone in their place only when a person, or --yes, says so. */
export async function chooseLast(cli: Cli, host: Host, options: CommonOptions): Promise<UndoChoice> {
  const { change, skipped, undone } = await host.lastChange()
  if (undone && isSinceStart(undone.undo)) return undoneMeanwhile(undone, change)
  if (change === undefined) return nothingToUndo(skipped)
  const choice = { calls: [change.call] }
  if (skipped.length === 0) return choice
  const isAsked = !options.yes && hasPerson()
  if (!options.yes && !isAsked) return leftToPerson(skipped, change)
  tellSkipped(cli, skipped, change)
  if (!isAsked || (await askYes('Undo the older change?'))) return choice
  return failure('DENIED', 'Nothing was undone.')
}

/** True for an undo that ended after this command was started: what was the last change then is not the last one any more. */
function isSinceStart({ at, duration }: CallRecord): boolean {
  return at + (duration ?? 0) >= performance.timeOrigin
}

function undoneMeanwhile(
  { undo, calls }: Required<LastChange>['undone'] & object,
  older: CallRecord | undefined,
): Failure {
  const next = older ? ` To undo the older change ${describe(older)}, run it again.` : ''
  const text = `${calls.join(', ')} was undone meanwhile, by ${undo.call}. Nothing was undone here.${next}`
  return failure('CONFLICT', text, { details: { calls, undo: undo.call } })
}

function nothingToUndo(skipped: readonly UnkeptCall[]): Failure {
  if (skipped.length === 0) return failure('FILE_NOT_FOUND', 'There is nothing to undo in this workspace.')
  const lines = skippedLines(skipped)
  const text = `There is nothing in this workspace that can be undone. Not kept was:\n${lines.join('\n')}`
  return failure('FILE_NOT_FOUND', text, { details: detailsOf(skipped) })
}

function leftToPerson(skipped: readonly UnkeptCall[], older: CallRecord): Failure {
  const text = [
    'The last change cannot be undone, and there is nobody to ask whether an older one shall be. Nothing was undone.',
    ...skippedLines(skipped),
    `The older change can be: ${describe(older)}`,
    `haft undo ${older.call}`,
  ].join('\n')
  return failure('DENIED', text, { details: { ...detailsOf(skipped), older: older.call } })
}

function detailsOf(skipped: readonly UnkeptCall[]): Record<string, unknown> {
  return { skipped: skipped.map(({ record, reason }) => ({ call: record.call, reason })) }
}

/** How many of the changes that cannot be undone are named. */
const NAMED = 5

function skippedLines(skipped: readonly UnkeptCall[]): string[] {
  const lines = skipped.slice(0, NAMED).map(({ record, reason }) => `- ${describe(record)}: ${reason}`)
  return skipped.length > NAMED ? [...lines, `- and ${skipped.length - NAMED} older ones`] : lines
}

/** Says what stays as it is, and which older change would be undone in its place. */
function tellSkipped(cli: Cli, skipped: readonly UnkeptCall[], older: CallRecord): void {
  const tell = (text: string) => cli.tell(wrapFor(process.stderr, text).join('\n'))
  tell('These newer changes cannot be undone and stay as they are:')
  for (const line of skippedLines(skipped)) tell(line)
  tell(`The older change: ${describe(older)}`)
}

/** A call in a few words: its id, when, its tool and the start of its arguments. */
function describe({ call, at, tool, arguments: args }: CallRecord): string {
  const shown = printableLine(args)
  const short = shown.length > 50 ? `${shown.slice(0, 49)}…` : shown
  return `${call} (${showMoment(at, Date.now())} ${tool} ${short})`
}
