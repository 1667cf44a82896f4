import { ToolError } from '../core/call/result.ts'
import { shownPath as shown } from '../core/text/paths.ts'
import { meaningOf, systemErrorName } from '../core/text/system-errors.ts'

export { shown }

/** Returns the error for a path that the workspace refuses; `why` says what is wrong and what is expected. */
export function refusePath(path: string, why: string): ToolError {
  return new ToolError('INVALID_PATH', `${shown(path)} ${why} (refused by the workspace).`, { details: { path } })
}

/** Returns the name of a system error, or the code of a ToolError. */
export function errnoOf(error: unknown): string | undefined {
  const ours = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return systemErrorName(error) ?? ours
}

/** Turns a system error into a ToolError; returns anything else unchanged. Callers have read the path before, so a missing file means that another program changed it. */
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
  return new ToolError('CONFLICT', `${shown(path)} was changed by another program in the meantime. Read it again.`, {
    details: { path, reason: 'CHANGED' },
  })
}

/** Returns the error for an operation that the system refuses. */
export function denied(path: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `${shown(path)}: ${why} (refused by the system).`, { details: { path } })
}

/** Returns the error for an entry that changed since it was read, or that is in the way. */
export function conflict(path: string, why: string, reason: string): ToolError {
  return new ToolError('CONFLICT', `${shown(path)} ${why} Nothing was changed.`, { details: { path, reason } })
}
