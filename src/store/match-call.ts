import type { CallRecord } from '../core/call/call-record.ts'
import type { CallFilter } from '../core/ports/log.ts'

/** The default limit of a list of calls or sessions. */
export const DEFAULT_LIMIT = 100

/** True for a call that matches the filter; ignores `limit`. */
export function matchesCall(record: CallRecord, filter: CallFilter): boolean {
  const { before, since } = filter
  return (
    (filter.session === undefined || record.session === filter.session) &&
    (filter.call === undefined || record.call === filter.call) &&
    (filter.callPrefix === undefined || record.call.startsWith(filter.callPrefix)) &&
    (filter.tool === undefined || record.tool === filter.tool) &&
    (filter.decision === undefined || record.decision === filter.decision) &&
    (filter.outcome === undefined || record.outcome === filter.outcome) &&
    (filter.isOpen === undefined || record.outcome === null) &&
    (filter.isTask === undefined || record.task !== null) &&
    (since === undefined || record.at >= since) &&
    (before === undefined || (record.cursor ?? 0) < before)
  )
}

/** Compares newest first; records that are not committed yet are the newest. */
export function newerFirst(a: CallRecord, b: CallRecord): number {
  return (b.cursor ?? Number.MAX_SAFE_INTEGER) - (a.cursor ?? Number.MAX_SAFE_INTEGER)
}

/** Returns the bounds between which SQLite sorts every text with this prefix. */
export function prefixRange(prefix: string): readonly [string, string] {
  return [prefix, `${prefix}\u{10ffff}`]
}
