import type { ClearedCall } from '../core/call.ts'
import { type Failure, failure, isAnswer, messageOf, type Result } from '../core/result.ts'
import type { Issue, Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'
import type { Returned } from './execute.ts'

/** What normalising needs of the house. */
export interface Finishing {
  readonly snapshot: Snapshot
  /** True where a person put other arguments in place of the model's. */
  readonly changed: boolean
  readonly store: Pick<Store, 'keepOutput'>
}

/** Turns what a tool returned into a result: checked against its output schema, with text for the model, bounded, the whole kept. */
export function normalise(call: ClearedCall, returned: Returned, finishing: Finishing): Result | Promise<Result> {
  const data = isAnswer(returned.value) ? returned.value.data : returned.value
  const issues = finishing.snapshot.checkOutput(call.entry, data)
  if (issues instanceof Promise)
    return issues.then((found) => conclude(call, returned, { ...finishing, issues: found }))
  return conclude(call, returned, { ...finishing, issues })
}

function conclude(call: ClearedCall, { value }: Returned, room: Finishing & { issues: readonly Issue[] }): Result {
  if (room.issues.length > 0) return badOutput(call, room.issues)
  const data: unknown = (isAnswer(value) ? value.data : value) ?? null
  const whole = isAnswer(value) ? value.text : asText(data)
  if (typeof whole !== 'string') return whole
  const text = isLong(whole) ? keepAndCut(call, whole, room) : whole
  const told = room.changed ? `A person changed the arguments; what ran: ${JSON.stringify(call.input)}\n${text}` : text
  const isLarge =
    typeof data === 'object' && data !== null
      ? sizeOf(data) > MAX_DATA
      : typeof data === 'string' && data.length > MAX_DATA
  if (!isLarge) return { ok: true, text: told, data }
  if (text === whole) room.store.keepOutput(call.id, JSON.stringify(data))
  return {
    ok: true,
    text: told,
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
