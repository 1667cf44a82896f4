import { ToolError } from '../../core/call/result.ts'
import type { Files } from '../../core/ports/files.ts'

/** Returns files that refuse every change, with a message that names the tool. */
export function readOnlyFiles(files: Files, tool: string): Files {
  const refuse = (): never => {
    throw new ToolError(
      'EXECUTION_ERROR',
      `${tool} tried to change a file before it was approved. A tool changes files only while it runs, not while it prepares. Nothing was changed.`,
    )
  }
  return { ...files, write: refuse, delete: refuse, move: refuse, restore: refuse, restoreAll: refuse, sweep: refuse }
}
