import type { CallRecord } from '../core/call-record.ts'
import type { Replaced } from '../core/files.ts'
import { isRecord } from '../core/json.ts'
import type { ChangedFilter, Store } from '../core/store.ts'
import type { LastChange } from '../core/undo-store.ts'
import { UNDO } from './undo-tool.ts'

/** How many calls that changed files are looked through. */
const LOOK_BACK = 10_000

type Log = Pick<Store, 'changedCalls' | 'events' | 'replacedBy' | 'unkeptCalls'>

/** Finds the calls that undoing this call or session means, the newest first. */
export function findUndoableCalls(log: Log, id: string): readonly string[] {
  if (log.replacedBy(id).length > 0) return [id]
  return findChanges(log, { session: id }).standing.map(({ call }) => call)
}

/** Finds what undo without an id is about: the last change in a workspace, and what was changed since and cannot be undone. */
export function findLastChange(log: Log, workspace: string): LastChange {
  const { standing, undone } = findChanges(log, { workspace })
  const change = standing.find(({ call }) => !isIndexRefresh(log.replacedBy(call)))
  const skipped = log
    .unkeptCalls({ workspace, limit: LOOK_BACK })
    .filter(({ record }) => record.seq > (change?.seq ?? 0) && log.replacedBy(record.call).length === 0)
  return { change, skipped, undone }
}

/** True for a command that changed nothing but the index of a repository, as `git status` does when it refreshes it. */
function isIndexRefresh(records: readonly Replaced[]): boolean {
  return records.every(({ path, movedFrom }) => movedFrom === undefined && INDEX.test(path))
}
const INDEX = /(^|\/)\.git\/((modules|worktrees)\/.+\/)?index$/

interface Changes extends Pick<LastChange, 'undone'> {
  readonly standing: readonly CallRecord[]
}

/** Calls whose changes still stand, the newest first: neither undone, nor an undo. An undo that was itself undone counts for nothing. */
function findChanges(log: Log, filter: ChangedFilter): Changes {
  const undone = new Set<string>()
  const standing: CallRecord[] = []
  let last: LastChange['undone']
  for (const record of log.changedCalls({ ...filter, limit: LOOK_BACK })) {
    if (undone.has(record.call)) continue
    if (record.tool !== UNDO) standing.push(record)
    else if (record.outcome === 'ok') {
      const calls = callsOf(log, record)
      last ??= { undo: record, calls }
      for (const call of calls) undone.add(call)
    }
  }
  return { standing, undone: last }
}

function callsOf(log: Pick<Store, 'events'>, { seq }: CallRecord): readonly string[] {
  const [start] = log.events({ callSeq: seq, limit: 1 })
  if (start?.type !== 'call-start' || !isRecord(start.arguments)) return []
  const { calls } = start.arguments
  return Array.isArray(calls) ? calls.filter((call) => typeof call === 'string') : []
}
