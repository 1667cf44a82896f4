import { ToolError } from '../../../core/call/result.ts'
import { insidePath } from '../../../core/text/paths.ts'
import { explainSystemError } from '../../../core/text/system-errors.ts'
import { shown } from '../../../files/file-errors.ts'
import type { Sides } from './find-changes.ts'

/** Turns a system error of applying changes into a ToolError with the path as the command saw it; returns anything else unchanged. */
export function explainUnapplied(error: unknown, sides: Sides): unknown {
  const explained = explainSystemError(error)
  if (explained === undefined) return error
  const path = pathInWorkspace(error, sides)
  const what = path === undefined ? 'A file that the command changed' : `${shown(path)}, which the command changed,`
  return new ToolError(explained.code, `${what} ${explained.words}. None of its changes were applied.`, {
    ...(path !== undefined && { details: { path } }),
  })
}

/** Returns the path of an error relative to the workspace, whichever layer it is from. */
function pathInWorkspace(error: unknown, { lower, upper, merged }: Sides): string | undefined {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return undefined
  const { path } = error
  return [merged, upper, lower].map((side) => insidePath(side, path)).find((inside) => inside !== undefined)
}
