import { outputLines } from '../../core/ports/outputs.ts'

/** The most text that one result gives to a model. */
export const MAX_TEXT = 50_000
export const MAX_LINES = 2_000

/** The most data that one result gives to a program, in approximate characters of JSON. */
export const MAX_DATA = 1_500_000

/** True if a text must be cut. Cheap for short texts. */
export function isLong(text: string): boolean {
  if (text.length > MAX_TEXT) return true
  if (text.length < MAX_LINES) return false
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines > MAX_LINES
}

/** Returns the head and the tail of a long text, with a line between them that says what is missing and how to read it. */
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

/** Takes lines in the given order, up to half of the limit. Cuts a single line that is longer. */
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

/** The deepest nesting of data. A value that contains itself would never end. */
const MAX_DEPTH = 1_000

/** Estimates the number of characters of data as JSON, and stops counting past the limit. Throws at a value that JSON cannot represent. */
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
