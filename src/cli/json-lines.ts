import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { isRecord } from '../core/json.ts'
import { failure, messageOf } from '../core/result.ts'

/** One line of `--stdin`. */
export interface CallLine {
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
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  signal?.addEventListener('abort', () => lines.close(), { once: true })
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    if (signal?.aborted) break
    const { id, call, problem } = readLine(line, number)
    if (active.size >= AHEAD) await Promise.race(active)
    const work = (call ? answer(call) : Promise.resolve(failure('INVALID_ARGUMENTS', problem))).then((answered) => {
      write(`${JSON.stringify({ id, ...answered })}\n`)
      active.delete(work)
    })
    active.add(work)
  }
  await Promise.all(active)
}

function readLine(line: string, number: number): { id: unknown; call?: CallLine; problem: string } {
  const expected = 'expected {"id": …, "name": "tool", "arguments": {…}}'
  try {
    const read: unknown = JSON.parse(line)
    if (!isRecord(read)) return { id: null, problem: `line ${number} is no JSON object; ${expected}` }
    const id = read.id ?? null
    if (typeof read.name !== 'string') return { id, problem: `line ${number} names no tool; ${expected}` }
    return { id, call: { name: read.name, arguments: read.arguments }, problem: '' }
  } catch (thrown) {
    return { id: null, problem: `line ${number} is no JSON: ${messageOf(thrown)}; ${expected}` }
  }
}
