import { realpathSync, statSync } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import { insidePath, resolvePath } from '../core/text/paths.ts'
import { explainErrno } from '../files/file-errors.ts'

/** Where a command starts: an existing folder of the workspace, links resolved. Throws ToolError for any other. */
export function resolveFolder(workspace: string, given = '.'): string {
  const real = findFolder(resolvePath(workspace, given), given)
  if (real === undefined)
    throw new ToolError('FILE_NOT_FOUND', `cwd ${JSON.stringify(given)} is no folder of the workspace.`)
  if (insidePath(workspace, real) === undefined)
    throw new ToolError('INVALID_PATH', `cwd ${JSON.stringify(given)} lies outside the workspace.`)
  return real
}

/** The real path of a folder; undefined where there is none. */
function findFolder(path: string, given: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(path) : undefined
  } catch (error) {
    throw explainErrno(error, given)
  }
}
