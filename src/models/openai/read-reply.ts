import { ModelError, type ModelPart } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { errorWords, isWebPage, wordsOf } from '../http/explain-status.ts'
import type { HttpAnswer } from '../http/send-request.ts'
import type { ReplyCollector, ReportedFinish } from '../reply/collect-reply.ts'
import { reportedUsage } from '../reply/count-usage.ts'
import { OPAQUE_MEMBERS } from '../reply/opaque-members.ts'
import { readCallPiece } from '../reply/read-call-piece.ts'
import { readEvents } from './read-events.ts'
import { joinOpaque } from './wire-data.ts'

/** Reads a reply of `/chat/completions`. Throws ModelError where the server reports an error, sends something else, or stops before the end of the reply. */
export async function* readOpenAiReply(
  { body, expectEnd }: Pick<HttpAnswer, 'body' | 'expectEnd'>,
  reply: ReplyCollector,
): AsyncGenerator<ModelPart> {
  let isEnded = false
  for await (const event of readEvents(body)) {
    if (event.type === 'error') throw failed(event.error)
    if (event.type === 'end') isEnded = true
    else if (event.type === 'chunk') yield* readChunk(event.chunk, reply)
    else if (isWebPage(event.text))
      throw new ModelError(`The server did not answer as a model server does: ${wordsOf(event.text)}`)
    else reply.note('An event that is not JSON was left out.')
    // The count of tokens follows the last piece of the reply.
    if (isEnded) expectEnd(1)
    else if (reply.finish !== undefined) expectEnd(5)
  }
  if (isEnded || reply.finish !== undefined) return
  throw new ModelError('The server closed the connection before its reply was complete.', { retryable: true })
}

function failed(error: unknown): ModelError {
  const words = typeof error === 'string' ? error : (errorWords(error) ?? JSON.stringify(error))
  return new ModelError(`The server stopped with an error: ${words}`, { retryable: true })
}

/** Reads a chunk of a stream, or a full reply of a server that does not stream: `message` takes the place of `delta` there. */
function* readChunk(chunk: Readonly<Record<string, unknown>>, reply: ReplyCollector): Generator<ModelPart> {
  if (isRecord(chunk.usage)) reply.usage = reportedUsage(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : []
  for (const choice of choices) {
    if (!isRecord(choice) || (typeof choice.index === 'number' && choice.index !== 0)) continue
    const message = isRecord(choice.delta) ? choice.delta : choice.message
    if (isRecord(message)) yield* readDelta(message, reply)
    readFinish(choice.finish_reason, reply)
  }
}

/** The members that servers put reasoning into. */
const REASONING_MEMBERS = ['reasoning_content', 'reasoning', 'thinking'] as const

function* readDelta(delta: Readonly<Record<string, unknown>>, reply: ReplyCollector): Generator<ModelPart> {
  const member = REASONING_MEMBERS.find((name) => typeof delta[name] === 'string' && delta[name] !== '')
  if (member) reply.opaque.reasoningMember = member
  const parts = [
    ...(member ? [reply.add('reasoning', delta[member])] : []),
    ...readContent(delta.content, reply),
    reply.add('text', delta.refusal),
  ]
  yield* parts.filter((part) => part !== undefined)
  const { tool_calls: calls, function_call: only } = delta
  for (const call of Array.isArray(calls) ? calls : []) reply.calls.add(readCallPiece(call))
  if (isRecord(only)) reply.calls.add({ index: 0, ...readCallPiece(only) })
  keepOpaque(delta, reply)
}

/** Text, nothing, or a list of parts, some of which may be reasoning. */
function readContent(content: unknown, reply: ReplyCollector): (ModelPart | undefined)[] {
  if (!Array.isArray(content)) return [reply.add('text', content)]
  return content.flatMap((part: unknown) => {
    if (!isRecord(part)) return []
    if (part.type !== 'thinking') return [reply.add('text', part.text)]
    const thoughts: readonly unknown[] = Array.isArray(part.thinking) ? part.thinking : [part.thinking]
    return thoughts.map((one) => reply.add('reasoning', isRecord(one) ? one.text : one))
  })
}

function keepOpaque(delta: Readonly<Record<string, unknown>>, reply: ReplyCollector): void {
  for (const [key, value] of Object.entries(delta)) {
    if (!OPAQUE_MEMBERS.has(key) || value === null || value === undefined) continue
    const message = isRecord(reply.opaque.message) ? reply.opaque.message : {}
    message[key] = joinOpaque(message[key], value)
    reply.opaque.message = message
    reply.count(value)
  }
}

const FINISHES: Readonly<Record<string, ReportedFinish>> = {
  stop: 'stop',
  tool_calls: 'calls',
  function_call: 'calls',
  length: 'length',
  max_tokens: 'length',
}

function readFinish(reason: unknown, reply: ReplyCollector): void {
  if (typeof reason !== 'string' || reason === '') return
  if (reason === 'content_filter') reply.note('The provider filtered the reply.')
  if (reason === 'error') throw failed('the provider gave no reason')
  reply.finish = FINISHES[reason] ?? 'stop'
}
