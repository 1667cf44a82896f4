import type { FileFacts, ReadFiles } from '../ports/files.ts'

/** How every warning begins. */
export const UNDO_WARNING = 'cannot be undone:'

/** Returns a warning for a file that is about to be deleted or replaced if it is too large for undo to restore. */
export function undoWarning(
  path: string,
  { type, size }: Pick<FileFacts, 'type' | 'size'>,
  { keptLimit }: Pick<ReadFiles, 'keptLimit'>,
): readonly string[] {
  if (type !== 'file' || size <= keptLimit) return []
  return [`${UNDO_WARNING} ${path} has ${size} bytes, and only files of up to ${keptLimit} bytes are kept`]
}
