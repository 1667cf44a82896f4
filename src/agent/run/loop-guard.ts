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
  readonly #turns: string[] = []
  #hasWarned = false

  /** Takes in a turn: its calls and their results. The first loop is a reason to warn the model, the next one to stop. */
  add(calls: readonly MessageCall[], results: readonly (Result | undefined)[]): Guarded {
    if (calls.length === 0 || calls.every(({ name }) => POLLING.includes(name))) return 'fine'
    this.#turns.push(calls.map((call, index) => describe(call, results[index])).join('\n'))
    if (!this.#isLoop()) return 'fine'
    this.#turns.length = 0
    if (this.#hasWarned) return 'stop'
    this.#hasWarned = true
    return 'warn'
  }

  #isLoop(): boolean {
    for (let length = 1; length <= LONGEST_CYCLE; length++) {
      const last = this.#turns.slice(-length * REPEATS)
      if (last.length < length * REPEATS) return false
      if (last.every((turn, index) => turn === last[index % length])) return true
    }
    return false
  }
}

function describe({ name, arguments: args }: MessageCall, result: Result | undefined): string {
  const given = typeof args === 'string' ? args : JSON.stringify(args)
  return `${name} ${given}\n${result && (result.ok ? result.text : `${result.code} ${result.text}`)}`
}

const POLLING: readonly string[] = ['get_background_task', 'list_background_tasks', 'get_agent', 'list_agents']

/** What a model is told that repeats itself. */
export const LOOP_WARNING =
  'You have made the same calls with the same results several times. Do something else: change the approach, ask the user, or finish with task_complete.'
