import type { ClearedCall } from '../../core/call/call.ts'
import { isErrorCode } from '../../core/call/codes.ts'
import {
  type Answer,
  type Failure,
  failure,
  isAnswer,
  messageOf,
  type Result,
  type Success,
} from '../../core/call/result.ts'
import type { OutputStore } from '../../core/ports/output-store.ts'
import type { Issue, Snapshot } from '../../core/tool/snapshot.ts'
import type { Returned } from '../execute/execute.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'

/** What normalising needs of the house. */
export interface Finishing {
  readonly snapshot: Snapshot
  readonly outputs: Pick<OutputStore, 'keep'>
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

/** A result within the bounds, and what is to be kept in full where something was left out of it. */
interface Bounded<Kind extends Result> {
  readonly result: Kind
  readonly output?: string
}

/** A result that JSON cannot carry is none: every interface writes it, and the log does. */
function bound(call: ClearedCall, finished: Finished): Result | Promise<Result> {
  try {
    return keepOutput(call.id, boundSuccess(call, finished), finished.finishing.outputs)
  } catch (thrown) {
    const text = `The tool ran, but its result cannot be turned into JSON: ${messageOf(thrown)}`
    return failure('EXECUTION_ERROR', text)
  }
}

/** The result, once what was left out of it can be read. */
function keepOutput<Kind extends Result>(
  call: string,
  { result, output }: Bounded<Kind>,
  outputs: Finishing['outputs'],
): Kind | Promise<Kind> {
  return output === undefined ? result : outputs.keep(call, output).then(() => result)
}

function boundSuccess(call: ClearedCall, { data, answered, finishing }: Finished): Bounded<Success> {
  const full = asText(answered?.text ?? data)
  const isCut = isLong(full)
  const text = isCut ? cutText(full, call.id) : full
  const frame = frameOf(answered, finishing)
  const size = answered ? sizeOf(data) : full.length
  if (size <= MAX_DATA) return { result: { ok: true, text, ...frame, data }, ...(isCut && { output: full }) }
  const omitted = { omitted: true, reason: TOO_MUCH, read: { tool: 'read_output', call: call.id } }
  return { result: { ok: true, text, ...frame, data: omitted }, output: isCut ? full : JSON.stringify(data) }
}

/** The frame of an answer, where all that it leaves out was streamed and it needs no cutting itself. */
function frameOf(answered: Answer | undefined, { hasStreamedAll }: Finishing): Pick<Success, 'frame'> | undefined {
  const frame = answered?.frame
  return frame === undefined || !hasStreamedAll || isLong(frame) ? undefined : { frame }
}

/** Throws where JSON has nothing for it. */
function asText(data: unknown): string {
  if (typeof data === 'string') return data
  const text = JSON.stringify(data)
  if (text === undefined) throw new TypeError(`it is a ${typeof data}`)
  return text
}

/** A failure within the same bounds, whatever a tool threw: with a code of ours, its full text kept, and details that JSON can carry. */
export function boundFailure(call: string, given: Failure, outputs: Finishing['outputs']): Failure | Promise<Failure> {
  const { code, details, retryable } = given
  const full = typeof given.text === 'string' ? given.text : messageOf(given.text)
  const isCut = isLong(full)
  const result: Failure = {
    ok: false,
    code: isErrorCode(code) ? code : 'EXECUTION_ERROR',
    text: isCut ? cutText(full, call) : full,
    ...(details !== undefined && { details: boundDetails(details) }),
    ...(retryable !== undefined && { retryable }),
  }
  return keepOutput(call, { result, ...(isCut && { output: full }) }, outputs)
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
