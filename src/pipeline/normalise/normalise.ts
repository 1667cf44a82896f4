import type { ClearedCall } from '../../core/call/call.ts'
import {
  type Answer,
  type Failure,
  failure,
  isAnswer,
  messageOf,
  type Result,
  type Success,
} from '../../core/call/result.ts'
import type { Issue } from '../../core/tool/snapshot.ts'
import type { CallRun } from '../call-run.ts'
import type { Returned } from '../execute/execute.ts'
import { CHECKING, stopDuring } from '../stopping/stop-during.ts'
import { cutText, isLong, MAX_DATA, sizeOf } from './bound.ts'
import { type Bounded, keepOutput, MaskedOutputs, type Outputs, TOO_MUCH } from './keep-output.ts'
import { noteChangedArguments } from './note-changed-arguments.ts'

/** Turns what a tool returned into a result: checked against its output schema, with text for the model, bounded, the full output kept. */
export function normalise({ call, value }: Returned, run: CallRun): Result | Promise<Result> {
  const { request, parts, context } = run
  const answered = isAnswer(value) ? value : undefined
  const data: unknown = (answered ? answered.data : value) ?? null
  const finished = { call, data, answered, hasStreamedAll: context.output?.hasStreamedAll ?? true }
  const issues = request.snapshot.checkOutput(call.entry, data)
  const made =
    issues instanceof Promise ? issues.then((found) => conclude(found, finished, run)) : conclude(issues, finished, run)
  const result = stopDuring(made, request.stop, CHECKING)
  if (call.proposed === undefined) return result
  return result instanceof Promise
    ? result.then((one) => noteChangedArguments(one, call, parts.masker))
    : noteChangedArguments(result, call, parts.masker)
}

function conclude(
  found: readonly Issue[],
  finished: Finished & { readonly call: ClearedCall },
  run: CallRun,
): Result | Promise<Result> {
  const { call } = finished
  return found.length > 0 ? badOutput(call, found) : bound(call, finished, new MaskedOutputs(run))
}

interface Finished {
  readonly data: unknown
  readonly answered: Answer | undefined
  /** False if the call had more output than is streamed, so that no front end has seen all of it. */
  readonly hasStreamedAll: boolean
}

/** Bounds what a tool would have returned whose process is gone. */
export function boundAnswer(call: string, answered: Answer, outputs: Outputs): Result | Promise<Result> {
  return bound({ id: call }, { data: answered.data, answered, hasStreamedAll: true }, outputs)
}

/** Turns a result that JSON cannot represent into a failure, because every interface and the log write results as JSON. */
function bound(call: Pick<ClearedCall, 'id'>, finished: Finished, outputs: Outputs): Result | Promise<Result> {
  try {
    return keepOutput(call.id, boundSuccess(call, finished), outputs)
  } catch (thrown) {
    const text = `The tool ran, but its result cannot be turned into JSON: ${messageOf(thrown)}`
    return failure('EXECUTION_ERROR', text)
  }
}

function boundSuccess(call: Pick<ClearedCall, 'id'>, { data, answered, hasStreamedAll }: Finished): Bounded<Success> {
  const full = asText(answered?.text ?? data)
  const isCut = isLong(full)
  const text = isCut ? cutText(full, call.id) : full
  const frame = frameOf(answered, hasStreamedAll)
  const size = answered ? sizeOf(data) : full.length
  if (size <= MAX_DATA)
    return {
      result: frame ? { ok: true, text, ...frame, data } : { ok: true, text, data },
      output: isCut ? full : undefined,
    }
  const omitted = { omitted: true, reason: TOO_MUCH, read: { tool: 'read_output', call: call.id } }
  return { result: { ok: true, text, ...frame, data: omitted }, output: isCut ? full : JSON.stringify(data) }
}

/** Returns the frame of an answer if everything that it leaves out was streamed and the frame itself is short enough. */
function frameOf(answered: Answer | undefined, hasStreamedAll: boolean): Pick<Success, 'frame'> | undefined {
  const frame = answered?.frame
  return frame === undefined || !hasStreamedAll || isLong(frame) ? undefined : { frame }
}

/** Returns data as JSON text. Throws if JSON cannot represent it. */
function asText(data: unknown): string {
  if (typeof data === 'string') return data
  const text = JSON.stringify(data)
  if (text === undefined) throw new TypeError(`it is a ${typeof data}`)
  return text
}

function badOutput(call: ClearedCall, issues: readonly Issue[]): Failure {
  const shown = issues.slice(0, 10).map(({ message }) => `\n- ${message}`)
  return failure(
    'EXECUTION_ERROR',
    `${call.entry.tool.name} ran, but what it returned does not match its own output schema:${shown.join('')}`,
    {
      details: { issues: issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.'), message })) },
    },
  )
}
