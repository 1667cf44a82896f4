import { ToolError } from '../../core/call/result.ts'
import type { Files } from '../../core/ports/files.ts'

/** The files to look at only; a change is refused in words that name the tool which tried it. */
export function lookingOnly(looking: Files, tool: string): Files {
  const refuse = (): never => {
    throw new ToolError(
      'EXECUTION_ERROR',
      `${tool} tried to change a file before it was approved. A tool changes files only while it runs, not while it prepares. Nothing was changed.`,
    )
  }
  return { ...looking, write: refuse, delete: refuse, move: refuse, restore: refuse }
}
