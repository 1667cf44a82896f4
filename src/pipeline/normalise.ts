import type { ClearedCall } from '../core/call.ts'
import { isErrorCode } from '../core/codes.ts'
import { type Answer, type Failure, failure, isAnswer, messageOf, type Result, type Success } from '../core/result.ts'
import type { Issue, Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'
import type { Returned } from './execute.ts'

/** What normalising needs of the house. */
export interface Finishing {
  readonly snapshot: Snapshot
  readonly store: Pick<Store, 'keepOutput'>
  /** False where the call said more than is streamed: nobody has seen all of its output then. */
  readonly hasStreamedAll: boolean
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

/** A result that JSON cannot carry is none: every door writes it, and the log does. */
function bound(call: ClearedCall, finished: Finished): Result {
  try {
    return boundSuccess(call, finished)
  } catch (thrown) {
    const text = `The tool ran, but its result cannot be turned into JSON: ${messageOf(thrown)}`
    return failure('EXECUTION_ERROR', text)
  }
}

function boundSuccess(call: ClearedCall, { data, answered, finishing }: Finished): Success {
  const whole = asText(answered?.text ?? data)
  const text = isLong(whole) ? keepAndCut(call.id, whole, finishing.store) : whole
  const frame = frameOf(answered, finishing)
  const size = answered ? sizeOf(data) : whole.length
  if (size <= MAX_DATA) return { ok: true, text, ...frame, data }
  if (text === whole) finishing.store.keepOutput(call.id, JSON.stringify(data))
  return {
    ok: true,
    text,
    ...frame,
    data: {
      omitted: true,
      reason: TOO_MUCH,
      read: { tool: 'read_output', call: call.id },
    },
  }
}

/** The frame of an answer, where all that it leaves out was streamed and it needs no cutting itself. */
function frameOf(answered: Answer | undefined, { hasStreamedAll }: Finishing): Pick<Success, 'frame'> | undefined {
  const frame = answered?.frame
  return frame === undefined || !hasStreamedAll || isLong(frame) ? undefined : { frame }
}

function keepAndCut(call: string, whole: string, store: Finishing['store']): string {
  store.keepOutput(call, whole)
  return cutText(whole, call)
}

/** Throws where JSON has nothing for it. */
function asText(data: unknown): string {
  if (typeof data === 'string') return data
  const text = JSON.stringify(data)
  if (text === undefined) throw new TypeError(`it is a ${typeof data}`)
  return text
}

/** A failure within the same bounds, whatever a tool threw: with a code of ours, its whole text kept, and details that JSON can carry. */
export function boundFailure(call: string, given: Failure, store: Finishing['store']): Failure {
  const { code, details, retryable } = given
  const whole = typeof given.text === 'string' ? given.text : messageOf(given.text)
  return {
    ok: false,
    code: isErrorCode(code) ? code : 'EXECUTION_ERROR',
    text: isLong(whole) ? keepAndCut(call, whole, store) : whole,
    ...(details !== undefined && { details: boundDetails(details) }),
    ...(retryable !== undefined && { retryable }),
  }
}

function boundDetails(details: Required<Failure>['details']): Required<Failure>['details'] {
  try {
    if (sizeOf(details) <= MAX_DATA) return details
    return { omitted: true, reason: TOO_MUCH }
  } catch (thrown) {
    return { omitted: true, reason: `the details cannot be turned into JSON: ${messageOf(thrown)}` }
  }
}

const TOO_MUCH = `the data is larger than ${MAX_DATA} characters`

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
