import { ToolError } from '../../core/call/result.ts'
import { insidePath } from '../../core/text/paths.ts'
import { explainSystemError } from '../../core/text/system-errors.ts'
import { shown } from '../../files/file-errors.ts'
import type { Sides } from './find-changes.ts'

/** A system error that kept a command's changes from being applied, with the path as the command knew it; anything else as it is. */
export function explainUnapplied(error: unknown, sides: Sides): unknown {
  const explained = explainSystemError(error)
  if (explained === undefined) return error
  const path = pathInWorkspace(error, sides)
  const what = path === undefined ? 'A file that the command changed' : `${shown(path)}, which the command changed,`
  return new ToolError(explained.code, `${what} ${explained.words}. None of its changes were applied.`, {
    ...(path !== undefined && { details: { path } }),
  })
}

/** The path of an error, relative to the workspace, whichever side of the overlay it was found on. */
function pathInWorkspace(error: unknown, { lower, upper, merged }: Sides): string | undefined {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return undefined
  const { path } = error
  return [merged, upper, lower].map((side) => insidePath(side, path)).find((inside) => inside !== undefined)
}
