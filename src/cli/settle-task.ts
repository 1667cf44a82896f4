import type { Host } from '../app/host.ts'
import { type Failure, failure, failureOf } from '../core/call/result.ts'
import type { ChangedFiles, PendingChanges, PendingRun } from '../core/ports/sandbox.ts'
import { findTask } from './output/find-id.ts'
import { reportProblem } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, paint } from './terminal/front-end.ts'

/** Which task's changes to settle, and how. */
export interface SettleRequest {
  readonly id: string
  readonly action: 'apply' | 'discard'
  /** Only these; all that do not conflict when there are none. */
  readonly paths: readonly string[]
  readonly options: CommonOptions
}

/** Applies or discards the changes of a task that are pending in this workspace, and shows what stays pending. */
export async function settleTask(cli: Cli, host: Host, request: SettleRequest): Promise<number> {
  const { options } = request
  const found = await findTask(host.log, request.id)
  if ('problem' in found) return reportProblem(cli, options, found.problem)
  const settled = await settle(host.pending, found.id, request)
  if ('ok' in settled) return reportProblem(cli, options, settled)
  const left = (await host.pending?.list())?.find(({ call }) => call === found.id)
  if (options.json) cli.writeJson({ task: found.id, ...settled, ...(left && { pending: left }) })
  else for (const line of linesOf(settled, left)) cli.print(line)
  return EXIT.ok
}

const BY = { by: 'haft tasks' } as const

interface Settled {
  readonly applied?: ChangedFiles
  readonly discarded?: true
}

async function settle(
  pending: PendingChanges | undefined,
  call: string,
  { action, paths }: SettleRequest,
): Promise<Settled | Failure> {
  const nothing = failure('FILE_NOT_FOUND', `${call} has no changes in this workspace that wait to be applied.`)
  if (pending === undefined) return nothing
  try {
    if (action === 'discard') return (await pending.discard(call, BY)) ? { discarded: true } : nothing
    const { changed } = await pending.apply(call, paths.length > 0 ? paths : 'without conflict', BY)
    return changed ? { applied: changed } : {}
  } catch (thrown) {
    return failureOf(thrown)
  }
}

function linesOf({ applied, discarded }: Settled, left: PendingRun | undefined): string[] {
  if (discarded) return [paint('reset', 'Its changes were discarded.')]
  return [
    ...(applied ? describe('Applied', applied) : []),
    ...(left
      ? [...describe('Still pending', left.files), paint('dim', 'They conflict; name a path to apply it all the same.')]
      : []),
  ]
}

function describe(title: string, { added, changed, deleted }: ChangedFiles): string[] {
  const lines = [
    ...added.map((path) => `  added ${path}`),
    ...changed.map((path) => `  changed ${path}`),
    ...deleted.map((path) => `  deleted ${path}`),
  ]
  return lines.length === 0 ? [] : [title, ...lines].map((line) => paint('reset', line))
}
