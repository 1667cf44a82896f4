import type { Readable } from 'node:stream'
import { failure, messageOf } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { findLoss } from '../../core/text/lossy-json.ts'

/** One line of `--stdin`. */
export interface CallLine {
  /** What its sender knows it by: text, a number or null. */
  readonly id: unknown
  readonly name: string
  readonly arguments: unknown
}

interface LineDoor {
  /** No line is read any more once it is aborted. */
  readonly signal?: AbortSignal
  write(text: string): void
  /** Keeps the order of calls itself. */
  answer(line: CallLine): Promise<object>
}

/** How many lines are read before those ahead of them are answered. */
const AHEAD = 64

/** Hands over every line in order, and writes each answer as it comes. */
export async function answerLines(input: Readable, { signal, write, answer }: LineDoor): Promise<void> {
  const active = new Set<Promise<void>>()
  let number = 0
  for await (const line of linesOf(input, signal)) {
    number++
    if (line.trim() === '') continue
    if (signal?.aborted) break
    const read = readLine(line, number)
    if (active.size >= AHEAD) await Promise.race(active)
    const answering = 'problem' in read ? Promise.resolve(failure('INVALID_ARGUMENTS', read.problem)) : answer(read)
    const work = answering.then((answered) => {
      write(`${JSON.stringify({ id: read.id, ...answered })}\n`)
      active.delete(work)
    })
    active.add(work)
  }
  await Promise.all(active)
}

/** The lines of a stream, whose ends are `\n` and `\r\n` alone: other breaks may stand in JSON. Ends where the signal is aborted. */
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

/** A line that is no call, and why. */
interface BadLine {
  readonly id: unknown
  readonly problem: string
}

const EXPECTED = 'expected {"id": …, "name": "tool", "arguments": {…}}'

function readLine(line: string, number: number): CallLine | BadLine {
  try {
    const read: unknown = JSON.parse(line)
    if (!isRecord(read)) return { id: null, problem: `line ${number} is no JSON object; ${EXPECTED}` }
    const { id = null, name, arguments: args } = read
    if (typeof id === 'object' && id !== null)
      return { id: null, problem: `line ${number} has an id that is neither text nor a number` }
    const lost = findLoss(line)
    if (lost !== undefined) return { id, problem: `line ${number}: ${lost}` }
    if (typeof name !== 'string') return { id, problem: `line ${number} names no tool; ${EXPECTED}` }
    return { id, name, arguments: args }
  } catch (thrown) {
    return { id: null, problem: `line ${number} is no JSON: ${messageOf(thrown)}; ${EXPECTED}` }
  }
}
