import { isErrorCode } from '../../core/call/codes.ts'
import { answer, ToolError } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import { imageAnswer } from '../image-answer.ts'
import type { HostAnswer } from './python-process.ts'

/** What a tool returns for an answer of the host. Throws ToolError where the call failed. */
export function readAnswer({ line, message }: HostAnswer): unknown {
  if ('value' in message) return readValue(line, message)
  if (isRecord(message.image)) return readImage(message.image, message)
  if (message.stopped === true)
    throw new ToolError('CANCELLED', 'It was interrupted and has stopped; what it had done by then stays done.')
  throw readError(message.error)
}

/** Whole numbers of more digits than JavaScript keeps; where there may be one, the model reads the text that Python wrote. */
const MANY_DIGITS = /\d{16}/

function readValue(line: string, { id, value }: HostAnswer['message']): unknown {
  if (typeof value !== 'object' && typeof value !== 'number') return value
  if (!MANY_DIGITS.test(line)) return value
  return answer(line.slice(`{"id":${id},"value":`.length, -1), value)
}

/** An image is data of its own: front ends show it, and models that see are given it. */
function readImage(image: Readonly<Record<string, unknown>>, { text, size }: HostAnswer['message']): unknown {
  const { name, mediaType, content } = image
  const isWhole = typeof name === 'string' && typeof mediaType === 'string' && typeof content === 'string'
  if (!isWhole || typeof size !== 'number')
    throw new ToolError('EXECUTION_ERROR', 'The tool ran, but its image could not be read.')
  const own = typeof text === 'string' ? { text } : {}
  const { text: words, data } = imageAnswer({ name, mediaType, content, size, ...own })
  return answer(words, data)
}

function readError(error: unknown): ToolError {
  const { code, text, traceback } = isRecord(error) ? error : {}
  const words = typeof text === 'string' ? text : 'The tool failed and did not say why.'
  const extras = typeof traceback === 'string' ? { details: { traceback } } : {}
  return new ToolError(isErrorCode(code) ? code : 'EXECUTION_ERROR', words, extras)
}
