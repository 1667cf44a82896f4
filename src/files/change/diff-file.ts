import { textOf } from '../../core/text/file-text.ts'
import { refuseDenied } from '../open-inside.ts'
import { readAll, readingBelow } from '../read/read-content.ts'
import { pathInside, type Space } from '../space.ts'
import { openTarget } from './place.ts'

/** A larger file is not compared. */
const LIMIT = 10 * 1024 * 1024

/** How long two texts are compared, in milliseconds. */
const PATIENCE = 1_000

/** The unified diff between what a file holds and what it would hold; undefined where either is no text, too large or too different. */
export async function diffFile(space: Space, given: string, bytes: Uint8Array): Promise<string | undefined> {
  const before = currentText(space, given)
  const after = bytes.length <= LIMIT ? textOf(bytes) : undefined
  if (before === undefined || after === undefined) return undefined
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const path = pathInside(space, given)
  const from = before === null ? '/dev/null' : path
  const options = { headerOptions: FILE_HEADERS_ONLY, timeout: PATIENCE }
  return createTwoFilesPatch(from, path, before ?? '', after, undefined, undefined, options)
}

/** The text at a path, null when there is no file, undefined when it is none. */
function currentText(space: Space, given: string): string | null | undefined {
  using place = openTarget(space, given)
  if (!place?.stats) return null
  refuseDenied(space, given, place.path)
  const { size } = place.stats
  const bytes = size <= LIMIT ? readingBelow(place.folder, place.name, (fd) => readAll(fd, size, LIMIT)) : undefined
  return bytes && textOf(bytes)
}
