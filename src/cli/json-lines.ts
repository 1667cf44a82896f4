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
  write(text: string): void
  /** True where a call of this tool changes nothing, so that neighbours may run together. */
  onlyReads(name: string): boolean
  answer(line: CallLine): Promise<object>
}

/** How many reading calls run at once. */
const TOGETHER = 8

/** Answers every line as it ends. Order is kept: only neighbouring reads run together. */
export async function answerLines(input: Readable, door: LineDoor): Promise<void> {
  const active = new Set<Promise<void>>()
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const { id, call, problem } = readLine(line, number)
    const reads = call === undefined || door.onlyReads(call.name)
    if (!reads) await Promise.all(active)
    else if (active.size >= TOGETHER) await Promise.race(active)
    const work = (call ? door.answer(call) : Promise.resolve(failure('INVALID_ARGUMENTS', problem))).then(
      (answered) => {
        door.write(`${JSON.stringify({ id, ...answered })}\n`)
        active.delete(work)
      },
    )
    active.add(work)
    if (!reads) await work
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
