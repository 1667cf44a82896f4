import {
  type Model,
  ModelError,
  type ModelMessage,
  type ModelReply,
  type ToolDefinition,
} from '../../core/ports/model.ts'
import { MaskedStream } from '../../core/secrets/mask-stream.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { EventBody } from '../../core/session/event.ts'
import type { MessageCall } from '../../core/session/message.ts'
import { watchRepetition } from './repetition.ts'

/** One request to a model. */
export interface StepRequest {
  readonly session: string
  readonly step: number
  readonly model: Model
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly signal: AbortSignal
  /** The tools that the log says are described to the model in a simpler form. */
  readonly simplified: readonly string[]
  /** The tools that the log says are left out. */
  readonly leftOut: readonly string[]
  /** Masks the secrets of what is streamed. */
  readonly masker: Masker
  nextCallId(): string
  emit(body: EventBody): void
}

/** What a model answered: its message is in the log, its calls have ids. */
export interface Step {
  readonly reply: ModelReply
  readonly calls: readonly MessageCall[]
}

/** Asks the model once, streams its reply as deltas, and logs it. Rejects with ModelError where there is no reply, or one that repeats itself without end. */
export async function takeStep(request: StepRequest): Promise<Step> {
  const { session, step, model, messages, tools, signal, emit } = request
  const started = performance.now()
  let deltas: Deltas | undefined
  let reply: ModelReply | undefined
  let thoughtMs: number | undefined
  const watches = { text: watchRepetition(), reasoning: watchRepetition() }
  for await (const part of model.stream({ messages, tools, signal })) {
    if (part.type === 'reply') reply = part.reply
    else if (part.type === 'retry') emit({ type: 'model-retry', session, reason: part.reason, seconds: part.seconds })
    else {
      deltas ??= createDeltas(request)
      deltas.add(part.type, part.text)
      if (watches[part.type].push(part.text))
        throw new ModelError('The model repeats the same words without end. Haft stopped reading its reply.')
      if (part.type === 'reasoning') thoughtMs = performance.now() - started
    }
  }
  if (reply === undefined) throw new Error(`${model.name} ended without a reply`)
  deltas?.end()
  const calls = reply.calls.map(({ name, arguments: args }) => ({ call: request.nextCallId(), name, arguments: args }))
  const { text: content, reasoning, wire, usage, repairs, simplified = [], leftOut = [] } = reply
  const message = { type: 'message', session, role: 'assistant', content } as const
  const made = calls.length > 0 ? { ...message, calls } : message
  const hasMore = reasoning || wire !== undefined
  emit(hasMore ? { ...made, ...(reasoning && { reasoning }), ...(wire !== undefined && { wire }) } : made)
  const ms = performance.now() - started
  const isNews = !isSameList(simplified, request.simplified)
  const isLeft = !isSameList(leftOut, request.leftOut)
  const called = { type: 'model-call', session, step, usage, ms } as const
  const hasDetails = thoughtMs !== undefined || repairs.length > 0 || isNews || isLeft
  emit(
    hasDetails
      ? {
          ...called,
          ...(thoughtMs !== undefined && { thoughtMs }),
          ...(repairs.length > 0 && { repairs }),
          ...(isNews && { simplified }),
          ...(isLeft && { leftOut }),
        }
      : called,
  )
  return { reply, calls }
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}

interface Deltas {
  add(kind: 'text' | 'reasoning', text: string): void
  end(): void
}

/** Sends pieces of a reply as events, secrets masked also where a piece ends inside one. */
function createDeltas({ session, masker, emit }: StepRequest): Deltas {
  const streams = { text: undefined, reasoning: undefined } as Record<'text' | 'reasoning', Stream | undefined>
  const send = (kind: 'text' | 'reasoning', stream: Stream, text: string): void => {
    if (text === '') return
    const reasoning = kind === 'reasoning' ? ({ reasoning: true } as const) : {}
    emit({ type: 'message-delta', session, text, offset: stream.offset, ...reasoning })
    stream.offset += text.length
  }
  return {
    add(kind, text) {
      streams[kind] ??= { masked: new MaskedStream({ masker }), offset: 0 }
      const stream = streams[kind]
      send(kind, stream, stream.masked.push(text))
    },
    end() {
      for (const kind of ['text', 'reasoning'] as const) {
        const stream = streams[kind]
        if (stream) send(kind, stream, stream.masked.end())
      }
    },
  }
}

interface Stream {
  readonly masked: MaskedStream
  offset: number
}
