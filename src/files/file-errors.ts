import { ToolError } from '../core/call/result.ts'
import { shownPath as shown } from '../core/text/paths.ts'
import { meaningOf, systemErrorName } from '../core/text/system-errors.ts'

export { shown }

/** The workspace refuses a path; the text says why and what would be right. */
export function refusePath(path: string, why: string): ToolError {
  return new ToolError('INVALID_PATH', `${shown(path)} ${why} (refused by the workspace).`, { details: { path } })
}

/** The name of a system error, or the code of one of ours. */
export function errnoOf(error: unknown): string | undefined {
  const ours = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return systemErrorName(error) ?? ours
}

/** What node:fs threw, in our words; anything else as it is. Only what was looked at before comes here: what is missing by now has gone since. */
export function explainErrno(error: unknown, path: string): unknown {
  const name = systemErrorName(error)
  if (name === undefined) return error
  if (GONE_SINCE.has(name)) return changedMeanwhile(path)
  const { code, words } = meaningOf(name)
  if (code === 'INVALID_PATH') return refusePath(path, words)
  return new ToolError(code, `${shown(path)} ${words} (refused by the system).`, { details: { path } })
}

const GONE_SINCE: ReadonlySet<string> = new Set(['ENOENT', 'EEXIST', 'ENOTEMPTY', 'ESTALE'])

function changedMeanwhile(path: string): ToolError {
  return new ToolError('CONFLICT', `${shown(path)} was changed by another program meanwhile. Look at it again.`, {
    details: { path, reason: 'CHANGED' },
  })
}

/** The system does not let us. */
export function denied(path: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `${shown(path)}: ${why} (refused by the system).`, { details: { path } })
}

/** Something changed between the look and the effect, or is in the way. */
export function conflict(path: string, why: string, reason: string): ToolError {
  return new ToolError('CONFLICT', `${shown(path)} ${why} Nothing was changed.`, { details: { path, reason } })
}
