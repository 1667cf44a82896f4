import type { Result } from '../../core/call/result.ts'
import type { MessageCall } from '../../core/session/message.ts'

/** How often the same calls with the same results may come in a row. */
const REPEATS = 3
/** The longest cycle that is recognised, in turns. */
const LONGEST_CYCLE = 4

/** What the guard says of the last turn. */
export type Guarded = 'fine' | 'warn' | 'stop'

/** Notices a model that makes the same calls with the same results again and again. Polling a task is exempt. */
export class LoopGuard {
  readonly #turns: Turn[] = []
  #hasWarned = false

  /** Takes in a turn: its calls and their results. The first loop is a reason to warn the model, the next one to stop. */
  add(calls: readonly MessageCall[], results: readonly (Result | undefined)[]): Guarded {
    if (calls.length === 0 || calls.every(({ name }) => POLLING.includes(name))) return 'fine'
    this.#turns.push(calls.map((call, index) => describe(call, results[index])))
    if (this.#turns.length > LONGEST_CYCLE * REPEATS) this.#turns.shift()
    if (!this.#isLoop()) return 'fine'
    this.#turns.length = 0
    if (this.#hasWarned) return 'stop'
    this.#hasWarned = true
    return 'warn'
  }

  #isLoop(): boolean {
    for (let length = 1; length <= LONGEST_CYCLE; length++) {
      const first = this.#turns.length - length * REPEATS
      if (first < 0) return false
      if (this.#repeats(first, length)) return true
    }
    return false
  }

  /** True if each turn from the first one on equals the one that many turns before it. */
  #repeats(first: number, length: number): boolean {
    for (let at = this.#turns.length - 1; at >= first + length; at--)
      if (!isSame(this.#turns[at], this.#turns[at - length])) return false
    return true
  }
}

/** The calls of a turn with what came of them. Compared member by member: joining them as one text costs more than running a call (gate 1c). */
type Turn = readonly RanCall[]

interface RanCall {
  readonly name: string
  readonly given: string
  readonly code: string
  readonly text: string | undefined
}

function describe({ name, arguments: args }: MessageCall, result: Result | undefined): RanCall {
  const given = typeof args === 'string' ? args : (JSON.stringify(args) ?? '')
  return { name, given, code: result === undefined || result.ok ? '' : result.code, text: result?.text }
}

function isSame(one: Turn | undefined, other: Turn | undefined): boolean {
  if (one === undefined || one.length !== other?.length) return false
  return one.every((call, at) => isSameCall(call, other[at]))
}

function isSameCall({ name, given, code, text }: RanCall, other: RanCall | undefined): boolean {
  return name === other?.name && given === other.given && code === other.code && text === other.text
}

const POLLING: readonly string[] = ['get_background_task', 'list_background_tasks', 'get_agent', 'list_agents']

/** What a model is told that repeats itself. */
export const LOOP_WARNING =
  'You have made the same calls with the same results several times. Do something else: change the approach, ask the user, or finish with task_complete.'
