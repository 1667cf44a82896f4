import { textOf } from '../../core/text/file-text.ts'
import { refuseDenied } from '../open-inside.ts'
import { readAll } from '../read/read-all.ts'
import { readingBelow } from '../read/read-content.ts'
import { pathInside, type WorkspaceRoot } from '../workspace-root.ts'
import { openWriteTarget } from './target-entry.ts'

/** The largest file that is compared, in bytes. */
const LIMIT = 10 * 1024 * 1024

/** The time limit of a comparison, in milliseconds. */
const PATIENCE = 1_000

/** Returns the unified diff between a file's content and new content; undefined when either is not text or is too large, or when they differ too much. */
export async function diffFile(root: WorkspaceRoot, given: string, bytes: Uint8Array): Promise<string | undefined> {
  const before = currentText(root, given)
  const after = bytes.length <= LIMIT ? textOf(bytes) : undefined
  if (before === undefined || after === undefined) return undefined
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const path = pathInside(root, given)
  const from = before === null ? '/dev/null' : path
  const options = { headerOptions: FILE_HEADERS_ONLY, timeout: PATIENCE }
  return createTwoFilesPatch(from, path, before ?? '', after, undefined, undefined, options)
}

/** Returns the text of a file, null when there is no file, undefined when it is not text. */
function currentText(root: WorkspaceRoot, given: string): string | null | undefined {
  using entry = openWriteTarget(root, given)
  if (!entry?.stats) return null
  refuseDenied(root, given, entry.path, 'change')
  const { size } = entry.stats
  const bytes = size <= LIMIT ? readingBelow(entry.folder, entry.name, (fd) => readAll(fd, size, LIMIT)) : undefined
  return bytes && textOf(bytes)
}
