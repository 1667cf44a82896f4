import { realpathSync, statSync } from 'node:fs'
import { insidePath, resolvePath } from '../core/paths.ts'
import { ToolError } from '../core/result.ts'

/** Where a command starts: an existing folder of the workspace, links resolved. Throws ToolError for any other. */
export function resolveFolder(workspace: string, given = '.'): string {
  const path = resolvePath(workspace, given)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ToolError('FILE_NOT_FOUND', `cwd ${JSON.stringify(given)} is no folder of the workspace.`)
  const real = realpathSync(path)
  if (insidePath(workspace, real) === undefined)
    throw new ToolError('INVALID_PATH', `cwd ${JSON.stringify(given)} lies outside the workspace.`)
  return real
}
