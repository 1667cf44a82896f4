import { ModelError, type ModelPart } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { errorWords, isWebPage, wordsOf } from '../http/explain-status.ts'
import { readLines } from '../http/read-lines.ts'
import type { HttpAnswer } from '../http/send-request.ts'
import { parseJson } from '../parse-json.ts'
import type { ReplyCollector } from '../reply/collect-reply.ts'
import { reportedUsage } from '../reply/count-usage.ts'
import { readCallPiece } from '../reply/read-call-piece.ts'

/** Reads the lines of a reply of `/api/chat`. Throws ModelError where the server reports an error, sends something else, or stops without a line that says `done`. */
export async function* readOllamaReply(
  { body, expectEnd }: Pick<HttpAnswer, 'body' | 'expectEnd'>,
  reply: ReplyCollector,
): AsyncGenerator<ModelPart> {
  for await (const line of readLines(body)) {
    if (line.trim() === '') continue
    const value = parseJson(line)
    if (!isRecord(value)) {
      if (isWebPage(line)) throw new ModelError(`The server did not answer as Ollama does: ${wordsOf(line)}`)
      // A last line that was cut off shows in the missing end; any other line that is not JSON is left out.
      reply.note('A line that is not JSON was left out.')
      continue
    }
    const words = value.error === undefined ? undefined : errorWords(value)
    if (words !== undefined) throw new ModelError(`The server stopped with an error: ${words}`, { retryable: true })
    yield* readMessage(value.message, reply)
    if (value.done !== true) continue
    readEnd(value, reply)
    expectEnd(1)
  }
  if (reply.finish === undefined)
    throw new ModelError('The server closed the connection before its reply was complete.', { retryable: true })
}

function* readMessage(message: unknown, reply: ReplyCollector): Generator<ModelPart> {
  if (!isRecord(message)) return
  const { content, thinking, tool_calls: calls } = message
  const parts = [reply.add('reasoning', thinking), reply.add('text', content)]
  yield* parts.filter((part) => part !== undefined)
  // Every entry is a full call here: what Ollama writes as index may repeat and says nothing.
  for (const call of Array.isArray(calls) ? calls : []) {
    const { index: _, ...piece } = readCallPiece(call)
    reply.calls.add(piece)
  }
}

function readEnd(value: Readonly<Record<string, unknown>>, reply: ReplyCollector): void {
  reply.finish = value.done_reason === 'length' ? 'length' : 'end'
  reply.usage = reportedUsage(value.prompt_eval_count, value.eval_count)
}
