import { messageOf } from '../../core/call/result.ts'
import { ModelError, type ModelPart } from '../../core/ports/model.ts'
import type { ReplyCollector, ReportedFinish } from '../reply/collect-reply.ts'
import { reportedUsage } from '../reply/count-usage.ts'
import type { AiSdkPart } from './language-model.ts'
import { joinData, type ProviderData, type WirePart } from './wire-data.ts'

/** A part of the message that is being written. */
interface OpenPart {
  readonly type: WirePart['type']
  readonly id: string
  text: string
  data: ProviderData | undefined
}

/** Reads the parts of a reply. Throws ModelError where the provider reports an error or ends the stream before the part that finishes it. */
export async function* readAiSdkReply(
  stream: AsyncIterable<AiSdkPart>,
  reply: ReplyCollector,
): AsyncGenerator<ModelPart> {
  const open: OpenPart[] = []
  for await (const part of stream) {
    const arrived = readPart(part, reply, open)
    if (arrived) yield arrived
  }
  if (reply.finish === undefined)
    throw new ModelError('The provider closed the connection before its reply was complete.', { retryable: true })
  const parts = open.filter(({ type, text, data }) => type !== 'reasoning' || text !== '' || data !== undefined)
  // Plain texts and calls are sent back from the message itself.
  if (parts.some(({ type, data }) => type === 'reasoning' || data !== undefined))
    reply.opaque.parts = parts.map(writeWirePart)
}

function writeWirePart({ type, text, data }: OpenPart): WirePart {
  const kept = data && { data }
  return type === 'reasoning' ? { type, text, ...kept } : { type, ...kept }
}

function readPart(part: AiSdkPart, reply: ReplyCollector, open: OpenPart[]): ModelPart | undefined {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
      keep(open, 'text', part)
      return part.type === 'text-delta' ? reply.add('text', part.delta) : undefined
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      keep(open, 'reasoning', part)
      return part.type === 'reasoning-delta' ? reply.add('reasoning', part.delta) : undefined
    case 'tool-call':
      if (part.providerExecuted) return undefined
      open.push({ type: 'call', id: part.toolCallId, text: '', data: part.providerMetadata })
      reply.calls.add({ index: open.length, id: part.toolCallId, name: part.toolName, arguments: part.input })
      return undefined
    case 'finish':
      return readFinish(part, reply)
    case 'error':
      throw new ModelError(`The provider stopped with an error: ${messageOf(part.error)}`, { retryable: true })
    default:
      return undefined
  }
}

interface Piece {
  readonly id: string
  readonly delta?: string
  readonly providerMetadata?: ProviderData | undefined
}

function keep(open: OpenPart[], type: OpenPart['type'], { id, delta = '', providerMetadata }: Piece): void {
  const known = open.findLast((one) => one.type === type && one.id === id)
  const part = known ?? { type, id, text: '', data: undefined }
  if (!known) open.push(part)
  // Texts go back from the message itself, where secrets are masked; only reasoning is needed byte for byte.
  if (type === 'reasoning') part.text += delta
  part.data = joinData(part.data, providerMetadata)
}

const FINISHES: Readonly<Record<string, ReportedFinish>> = { stop: 'stop', length: 'length', 'tool-calls': 'calls' }

function readFinish({ finishReason, usage }: Extract<AiSdkPart, { type: 'finish' }>, reply: ReplyCollector): undefined {
  if (finishReason.unified === 'error') throw new ModelError('The provider stopped with an error.', { retryable: true })
  if (finishReason.unified === 'content-filter') reply.note('The provider filtered the reply.')
  reply.finish = FINISHES[finishReason.unified] ?? 'end'
  reply.usage = reportedUsage(usage.inputTokens.total, usage.outputTokens.total)
}
