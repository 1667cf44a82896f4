import { createHash } from 'node:crypto'
import type { ModelAbilities, ModelMessage, ModelReply, ModelRequest, ToolDefinition } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { parseJson } from '../parse-json.ts'

/** The first line of a recording. */
export interface RecordingHead {
  readonly recording: 1
  readonly model: string
  readonly abilities: ModelAbilities
}

/** A message without what differs from run to run: ids of calls and opaque data. */
export type RecordedMessage = Readonly<Record<string, unknown>> & { readonly role: string }

/** One request and what came of it: a line of a recording. */
export interface RecordedReply {
  /** The messages since the last reply; everything before them was compared with the replies before. Left out where the reply fits any request. */
  readonly messages?: readonly RecordedMessage[]
  /** A digest of each tool's definition, by name. Left out with the messages. */
  readonly tools?: Readonly<Record<string, string>>
  /** The pieces in which the reply arrived. */
  readonly pieces: readonly (readonly ['text' | 'reasoning', string])[]
  readonly reply?: ModelReply
  /** Why there was no reply. */
  readonly error?: { readonly message: string; readonly retryable: boolean }
}

/** What of a request a recording compares. */
export type DescribedRequest = Required<Pick<RecordedReply, 'messages' | 'tools'>>

/** Describes a request for a recording. */
export function describeRequest({ messages, tools }: ModelRequest): DescribedRequest {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant')
  return {
    messages: messages.slice(lastReply + 1).map(describeMessage),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, digestOf(tool)])),
  }
}

function describeMessage(message: ModelMessage): RecordedMessage {
  if (message.role === 'tool') {
    const { role, name, content, images } = message
    return { role, name, content, ...(images && { images: images.map(digestOf) }) }
  }
  const { role, content, attachments } = message
  return { role, content, ...(attachments && { attachments: attachments.map(digestOf) }) }
}

function digestOf(value: ToolDefinition | object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

/** True for the first line of a recording. */
export function isRecordingHead(line: string): boolean {
  const value = parseJson(line)
  return isRecord(value) && value.recording === 1 && isRecord(value.abilities)
}
