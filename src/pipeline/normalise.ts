import type { ClearedCall } from '../core/call.ts'
import { type Answer, type Failure, failure, isAnswer, messageOf, type Result } from '../core/result.ts'
import type { Issue, Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'
import type { Returned } from './execute.ts'

/** What normalising needs of the house. */
export interface Finishing {
  readonly snapshot: Snapshot
  readonly store: Pick<Store, 'keepOutput'>
}

/** Turns what a tool returned into a result: checked against its output schema, with text for the model, bounded, the whole kept. */
export function normalise(call: ClearedCall, { value }: Returned, finishing: Finishing): Result | Promise<Result> {
  const answered = isAnswer(value) ? value : undefined
  const data: unknown = (answered ? answered.data : value) ?? null
  const issues = finishing.snapshot.checkOutput(call.entry, data)
  const conclude = (found: readonly Issue[]) =>
    found.length > 0 ? badOutput(call, found) : bound(call, { data, answered, finishing })
  return issues instanceof Promise ? issues.then(conclude) : conclude(issues)
}

interface Finished {
  readonly data: unknown
  readonly answered: Answer | undefined
  readonly finishing: Finishing
}

function bound(call: ClearedCall, { data, answered, finishing }: Finished): Result {
  const whole = answered ? answered.text : asText(data)
  if (typeof whole !== 'string') return whole
  const text = isLong(whole) ? keepAndCut(call, whole, finishing) : whole
  const size = answered ? sizeOf(data) : whole.length
  if (size <= MAX_DATA) return { ok: true, text, data }
  if (text === whole) finishing.store.keepOutput(call.id, JSON.stringify(data))
  return {
    ok: true,
    text,
    data: {
      omitted: true,
      reason: `the data is larger than ${MAX_DATA} characters`,
      read: { tool: 'read_output', call: call.id },
    },
  }
}

function keepAndCut(call: ClearedCall, whole: string, { store }: Finishing): string {
  store.keepOutput(call.id, whole)
  return cutText(whole, call.id)
}

function asText(data: unknown): string | Failure {
  if (typeof data === 'string') return data
  try {
    return JSON.stringify(data) ?? String(data)
  } catch (thrown) {
    return failure('EXECUTION_ERROR', `The tool ran, but its result cannot be turned into JSON: ${messageOf(thrown)}`)
  }
}

function badOutput(call: ClearedCall, issues: readonly Issue[]): Failure {
  const shown = issues.slice(0, 10).map(({ message }) => `\n- ${message}`)
  return failure(
    'EXECUTION_ERROR',
    `${call.entry.tool.name} ran, but what it returned does not fit its own output schema:${shown.join('')}`,
    {
      details: { issues: issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.'), message })) },
    },
  )
}
