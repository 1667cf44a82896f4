import type { FileFacts, ReadFiles } from '../ports/files.ts'

/** Returns a warning for a file that is about to be deleted or replaced if it is too large for undo to restore. */
export function undoWarning(
  path: string,
  { type, size }: Pick<FileFacts, 'type' | 'size'>,
  { keptLimit }: Pick<ReadFiles, 'keptLimit'>,
): readonly string[] {
  if (type !== 'file' || size <= keptLimit) return []
  return [`cannot be undone: ${path} has ${size} bytes, and only files of up to ${keptLimit} bytes are kept`]
}
