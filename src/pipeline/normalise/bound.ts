import { outputLines } from '../../core/ports/outputs.ts'

/** How much text a model is given at once. */
export const MAX_TEXT = 50_000
export const MAX_LINES = 2_000

/** How much data a program is given at once, in characters of JSON, near enough. */
export const MAX_DATA = 1_500_000

/** True where a text must be cut. Cheap for short ones. */
export function isLong(text: string): boolean {
  if (text.length > MAX_TEXT) return true
  if (text.length < MAX_LINES) return false
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines > MAX_LINES
}

/** The head and the tail of a long text, with a line between them that says what is missing and how to read it. */
export function cutText(text: string, call: string): string {
  const lines = outputLines(text)
  const head = takeLines(lines, (i) => i)
  const tail = takeLines(lines, (i) => lines.length - 1 - i)
  const from = head.length + 1
  const to = lines.length - tail.length
  const missing = lines.slice(head.length, to).reduce((size, line) => size + line.length + 1, 0)
  const gap = `[… lines ${from} to ${to} of ${lines.length} are left out (${missing} characters); read them with read_output {"call":"${call}","from":${from},"to":${to}} …]`
  return [...head, gap, ...tail.reverse()].join('\n')
}

/** Lines in the given order, up to half of what may be shown; a single line that is longer is cut. */
function takeLines(lines: readonly string[], order: (i: number) => number): string[] {
  const taken: string[] = []
  let size = 0
  for (let i = 0; i < lines.length && taken.length < MAX_LINES / 2 - 1; i++) {
    const line = lines[order(i)] ?? ''
    size += line.length + 1
    if (size > MAX_TEXT / 2 - 200) break
    taken.push(line)
  }
  return taken
}

/** How deep data may nest: what is in itself nests for ever. */
const MAX_DEPTH = 1_000

/** About how many characters data takes as JSON; stops counting when it is past the limit. Throws where it meets what JSON cannot carry. */
export function sizeOf(data: unknown, limit = MAX_DATA, depth = 0): number {
  if (typeof data === 'string') return data.length + 2
  if (typeof data === 'bigint') throw new TypeError('it holds a BigInt')
  if (typeof data !== 'object' || data === null) return 8
  if (depth > MAX_DEPTH) throw new TypeError(`it is nested more than ${MAX_DEPTH} levels deep, or in itself`)
  if (ArrayBuffer.isView(data)) return data.byteLength * 4
  if ('toJSON' in data && typeof data.toJSON === 'function') return sizeOf(data.toJSON(''), limit, depth + 1)
  return Array.isArray(data) ? sizeOfList(data, limit, depth + 1) : sizeOfMembers(data, limit, depth + 1)
}

function sizeOfList(data: readonly unknown[], limit: number, depth: number): number {
  let size = 2
  for (let i = 0; i < data.length && size <= limit; i++) size += 1 + sizeOf(data[i], limit - size, depth)
  return size
}

function sizeOfMembers(data: object, limit: number, depth: number): number {
  let size = 2
  for (const key of Object.keys(data)) {
    size += key.length + 4 + sizeOf(Reflect.get(data, key), limit - size, depth)
    if (size > limit) return size
  }
  return size
}
