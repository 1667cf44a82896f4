import { failure, type Result } from '../../core/call/result.ts'
import type { Calls } from '../../core/ports/calls.ts'
import type { MessageCall } from '../../core/session/message.ts'

/** How the calls of one turn ended. */
export interface RanCalls {
  /** One for each call, in order; undefined for calls after the one that ended the run, which are not run. */
  readonly results: readonly (Result | undefined)[]
  /** The call that ended the run, such as `task_complete`. */
  readonly ending?: { readonly call: MessageCall; readonly result: Result }
}

/** Runs the calls of a turn in order. A call of a tool that ends the run is the last one: later ones are not run. */
export async function runCalls(made: readonly MessageCall[], calls: Calls, signal: AbortSignal): Promise<RanCalls> {
  const tools = calls.snapshot()
  const endAt = made.findIndex(({ name }) => tools.find(name)?.tool.endsRun === true)
  const run = endAt < 0 ? made : made.slice(0, endAt + 1)
  const running = calls.run(run, signal)
  const results: (Result | undefined)[] = []
  // They run together where they may; `run` never rejects, so waiting for one after the other loses nothing.
  for (const one of running) results.push(await one)
  const ending = run[endAt]
  const result = results[endAt]
  results.length = made.length
  return ending && result?.ok ? { results, ending: { call: ending, result } } : { results }
}

/** The result of a call that the loop itself refuses. */
export function refusedCall(text: string): Result {
  return failure('CANCELLED', text)
}
