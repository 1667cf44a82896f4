import { realpathSync, statSync } from 'node:fs'
import { ToolError } from '../core/call/result.ts'
import { insidePath, resolvePath } from '../core/text/paths.ts'
import { explainErrno } from '../files/file-errors.ts'

/** Returns the folder to start a command in, links resolved. Throws ToolError unless it is an existing folder inside the workspace. */
export function resolveFolder(workspace: string, given = '.'): string {
  const real = findFolder(resolvePath(workspace, given), given)
  if (real === undefined)
    throw new ToolError('FILE_NOT_FOUND', `cwd ${JSON.stringify(given)} is not an existing folder.`)
  if (insidePath(workspace, real) === undefined)
    throw new ToolError('INVALID_PATH', `cwd ${JSON.stringify(given)} is outside the workspace.`)
  return real
}

/** Returns the real path of a folder, or undefined. */
function findFolder(path: string, given: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(path) : undefined
  } catch (error) {
    throw explainErrno(error, given)
  }
}
