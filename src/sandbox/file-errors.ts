import { ToolError } from '../core/result.ts'

/** The workspace refuses a path; the text says why and what would be right. */
export function refusePath(path: string, why: string): ToolError {
  return new ToolError('INVALID_PATH', `${shown(path)} ${why} (refused by the workspace).`, { details: { path } })
}

/** A path as a message shows it: quoted when it would read badly, cut when it is long. */
export function shown(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 100)}…${path.slice(-60)}` : path
  return /^[\w./@+-]+$/.test(short) ? short : JSON.stringify(short)
}

/** The errno of anything thrown by node:fs. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What node:fs threw, in our words. Only what was looked at before comes here: what is missing by now has gone since. */
export function explainErrno(error: unknown, path: string): unknown {
  switch (errnoOf(error)) {
    case 'ELOOP':
      return refusePath(path, 'is a link that leads nowhere: its links form a loop')
    case 'ENAMETOOLONG':
      return refusePath(path, 'is too long for a file name')
    case 'ENOTDIR':
      return refusePath(path, 'passes through a file as if it were a folder')
    case 'ENXIO':
      return refusePath(path, 'is not a regular file')
    case 'EISDIR':
      return refusePath(path, 'is a folder; a file was expected')
    case 'EINVAL':
      return refusePath(path, 'cannot be used like this: the system does not take it')
    case 'ENOENT':
    case 'EEXIST':
    case 'ENOTEMPTY':
    case 'ESTALE':
      return changedMeanwhile(path)
    case 'EACCES':
    case 'EPERM':
      return denied(path, 'the system does not permit it')
    case 'EROFS':
      return denied(path, 'the file system is read-only')
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolError('EXECUTION_ERROR', `${shown(path)} was not written: no space is left on the disk.`)
    default:
      return error
  }
}

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
