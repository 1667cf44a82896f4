import type { Readable } from 'node:stream'
import { failure, messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { findLoss } from '../../core/text/lossy-json.ts'

/** One line of `--stdin`. */
export interface CallLine {
  /** The id that the sender chose: text, a number or null. */
  readonly id: unknown
  readonly name: string
  readonly arguments: unknown
}

interface LineHandler {
  /** Stops the reading of lines. */
  readonly signal?: AbortSignal
  /** Writes an answer as soon as it is ready, before those of earlier lines. */
  readonly unordered: boolean
  write(answer: object): void
  /** Answers one line. Must keep the order of calls itself. */
  answer(line: CallLine): Promise<object>
}

/** The most lines whose answers are not written yet. Reading stops there, since answers wait in memory for those of earlier lines. */
const AHEAD = 64

/** Passes every line on in order, and writes the answers in the order of the lines. */
export async function answerLines(input: Readable, { signal, unordered, write, answer }: LineHandler): Promise<void> {
  const active = new Set<Promise<void>>()
  let written: Promise<void> | undefined
  let number = 0
  for await (const line of linesOf(input, signal)) {
    number++
    if (line.trim() === '') continue
    if (signal?.aborted) break
    const read = readLine(line, number)
    if (active.size >= AHEAD) await Promise.race(active)
    const answering = 'problem' in read ? Promise.resolve(failure('INVALID_ARGUMENTS', read.problem)) : answer(read)
    const earlier = unordered ? undefined : written
    const work = answering.then(async (answered) => {
      await earlier
      write({ id: read.id, ...answered })
      active.delete(work)
    })
    written = work
    active.add(work)
  }
  await Promise.all(active)
}

/** Yields the lines of a stream. Only `\n` and `\r\n` end a line, because JSON text may contain other line separators. Stops when the signal is aborted. */
async function* linesOf(input: Readable, signal: AbortSignal | undefined): AsyncGenerator<string> {
  let pieces: string[] = []
  input.setEncoding('utf8')
  try {
    for await (const read of input) {
      const [end = '', ...starts] = String(read).split('\n')
      pieces.push(end)
      for (const start of starts) {
        yield pieces.join('')
        pieces = [start]
      }
    }
  } catch (thrown) {
    if (!signal?.aborted) throw thrown
  }
  yield pieces.join('')
}

/** A line that is not a call, and the reason. */
interface BadLine {
  readonly id: unknown
  readonly problem: string
}

const EXPECTED = 'expected {"id": …, "name": "tool", "arguments": {…}}'

function readLine(line: string, number: number): CallLine | BadLine {
  try {
    const read: unknown = JSON.parse(line)
    if (!isRecord(read)) return { id: null, problem: `line ${number} is not a JSON object; ${EXPECTED}` }
    const { id = null, name, arguments: args } = read
    if (typeof id === 'object' && id !== null)
      return { id: null, problem: `line ${number}: the id must be text or a number` }
    const lost = findLoss(line)
    if (lost !== undefined) return { id, problem: `line ${number}: ${lost}` }
    if (typeof name !== 'string') return { id, problem: `line ${number}: name is missing; ${EXPECTED}` }
    return { id, name, arguments: args }
  } catch (thrown) {
    return { id: null, problem: `line ${number} is not JSON: ${messageOf(thrown)}; ${EXPECTED}` }
  }
}
