import type { FileFacts, ReadFiles } from '../ports/files.ts'

/** How every warning begins. */
export const UNDO_WARNING = 'cannot be undone:'

/** What a person should know before a file goes or is replaced: that it is too large to be kept, so that undo cannot put it back. */
export function undoWarning(
  path: string,
  { type, size }: Pick<FileFacts, 'type' | 'size'>,
  { keptLimit }: Pick<ReadFiles, 'keptLimit'>,
): readonly string[] {
  if (type !== 'file' || size <= keptLimit) return []
  return [`${UNDO_WARNING} ${path} has ${size} bytes, and only files of up to ${keptLimit} bytes are kept`]
}
