import type { Host } from '../../app/host.ts'
import type { CallRecord } from '../../core/call/call-record.ts'
import type { LastChange, UnkeptCall } from '../../core/call/last-change.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { printableLine } from '../../core/text/printable.ts'
import { askYes } from '../approval/prompt.ts'
import { hasPerson } from '../terminal/ask-line.ts'
import type { Cli, CommonOptions } from '../terminal/front-end.ts'
import { findCallOrSession } from './find-id.ts'
import { wrapFor } from './report-problem.ts'

/** The calls to undo, or the reason why there are none. */
export type UndoChoice = { readonly calls: readonly string[] } | Failure

/** Finds the calls that an id, or the start of one, names. */
export async function chooseNamed({ log, undoable }: Host, given: string): Promise<UndoChoice> {
  const found = await findCallOrSession(log, given)
  if ('problem' in found) {
    const { code, text, details } = found.problem
    return failure(code, text, details && { details })
  }
  const calls = await undoable(found.id)
  if (calls.length > 0) return { calls }
  return failure('FILE_NOT_FOUND', `${found.id} changed no file that can be restored.`)
}

/** Finds the last change in the workspace. If newer changes cannot be undone, names them, and chooses the older one only if a person, or --yes, agrees. */
export async function chooseLast(cli: Cli, host: Host, options: CommonOptions): Promise<UndoChoice> {
  const { change, skipped, undone } = await host.lastChange()
  if (undone && isSinceStart(undone.undo)) return undoneMeanwhile(undone, change)
  if (change === undefined) return nothingToUndo(skipped)
  const choice = { calls: [change.call] }
  if (skipped.length === 0) return choice
  const isAsked = !options.yes && hasPerson()
  if (!options.yes && !isAsked) return leftToPerson(skipped, change)
  reportSkipped(cli, skipped, change)
  if (!isAsked || (await askYes('Undo the older change instead?'))) return choice
  return failure('DENIED', 'Nothing was undone.')
}

/** True for an undo that ended after this command was started: the last change is then another one than the person meant. */
function isSinceStart({ at, duration }: CallRecord): boolean {
  return at + (duration ?? 0) >= performance.timeOrigin
}

function undoneMeanwhile(
  { undo, calls }: Required<LastChange>['undone'] & object,
  older: CallRecord | undefined,
): Failure {
  const next = older ? ` To undo the older change ${describe(older)}, run haft undo again.` : ''
  const text = `${calls.join(', ')} was just undone by ${undo.call}, so nothing was undone now.${next}`
  return failure('CONFLICT', text, { details: { calls, undo: undo.call } })
}

function nothingToUndo(skipped: readonly UnkeptCall[]): Failure {
  if (skipped.length === 0) return failure('FILE_NOT_FOUND', 'There is nothing to undo in this workspace.')
  const lines = skippedLines(skipped)
  const text = `Nothing in this workspace can be undone. The old contents of these changes were not kept:\n${lines.join('\n')}`
  return failure('FILE_NOT_FOUND', text, { details: detailsOf(skipped) })
}

function leftToPerson(skipped: readonly UnkeptCall[], older: CallRecord): Failure {
  const text = [
    'The last change cannot be undone, and nobody is here to confirm undoing an older one. Nothing was undone.',
    ...skippedLines(skipped),
    `An older change can be undone: ${describe(older)}`,
    `To undo it, run: haft undo ${older.call}`,
  ].join('\n')
  return failure('DENIED', text, { details: { ...detailsOf(skipped), older: older.call } })
}

function detailsOf(skipped: readonly UnkeptCall[]): Record<string, unknown> {
  return { skipped: skipped.map(({ record, reason }) => ({ call: record.call, reason })) }
}

/** The most changes that are named as not undoable. */
const NAMED = 5

function skippedLines(skipped: readonly UnkeptCall[]): string[] {
  const lines = skipped.slice(0, NAMED).map(({ record, reason }) => `- ${describe(record)}: ${reason}`)
  return skipped.length > NAMED ? [...lines, `- and ${skipped.length - NAMED} older ones`] : lines
}

/** Prints the changes that cannot be undone, and the older change that would be undone instead. */
function reportSkipped(cli: Cli, skipped: readonly UnkeptCall[], older: CallRecord): void {
  const print = (text: string) => cli.printError(wrapFor(process.stderr, text).join('\n'))
  print('These newer changes cannot be undone:')
  for (const line of skippedLines(skipped)) print(line)
  print(`The older change: ${describe(older)}`)
}

/** Describes a call: id, time, tool, start of the arguments. */
function describe({ call, at, tool, arguments: args }: CallRecord): string {
  const shown = printableLine(args)
  const short = shown.length > 50 ? `${shown.slice(0, 49)}…` : shown
  return `${call} (${showMoment(at, Date.now())} ${tool} ${short})`
}
