import type { ErrorCode } from '../call/codes.ts'
import type { Usage } from '../session/event.ts'
import type { Attachment, Message } from '../session/message.ts'
import type { JsonSchema } from '../text/json.ts'

/** A tool as a model is told of it; `name` is the wire name. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** The result of a call, as it goes back to the model. */
export interface ToolResultMessage {
  readonly role: 'tool'
  /** The id of the call, as in the assistant's `calls`. */
  readonly call: string
  readonly name: string
  /** What the model reads, of a failure too. */
  readonly content: string
  /** The code of a failure; absent where the call succeeded. */
  readonly code?: ErrorCode
  /** Images that the tool returned; sent to models that see, named in words to others. */
  readonly images?: readonly Attachment[]
}

/** One entry of the history that a model is sent. */
export type ModelMessage = Message | ToolResultMessage

/** One request to a model. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDefinition[]
  /** Closes the connection. */
  readonly signal: AbortSignal
}

/** A call as a model made it, before anything was read into it. */
export interface ModelCall {
  /** The model's own id; models leave it out or repeat it. */
  readonly id?: string
  readonly name: string
  /** JSON text or an object, as it came. */
  readonly arguments: unknown
}

/** A full reply of a model. */
export interface ModelReply {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ModelCall[]
  /** `length` when the reply was cut off by a limit of tokens. */
  readonly finish: 'stop' | 'calls' | 'length'
  readonly usage: Usage
  /** Opaque data that goes back with this message byte for byte, such as signatures of reasoning. */
  readonly wire?: unknown
  /** What was irregular about the reply and how it was read, one sentence each; also calls that were printed as text. */
  readonly repairs: readonly string[]
}

/** What arrives while a model writes, and its full reply at the end. */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** A request is tried again; nothing of it had arrived. */
  | { readonly type: 'retry'; readonly reason: string; readonly seconds: number }
  | { readonly type: 'reply'; readonly reply: ModelReply }

/** What a model can do, as far as it is known. */
export interface ModelAbilities {
  /** False when tools must be described in the prompt; undefined until it is known. */
  readonly nativeCalls?: boolean
  /** How arguments of native calls arrive: as JSON text or as an object. */
  readonly argumentForm?: 'text' | 'object'
  /** True once a reply has held more than one native call. */
  readonly parallelCalls?: boolean
  readonly images?: boolean
  /** Tokens of its window. */
  readonly context?: number
}

/** A language model, whatever protocol it speaks. */
export interface Model {
  /** As settings name it: `ollama:qwen3:8b`. */
  readonly name: string
  /** Yields parts as they arrive, the reply last. Throws ModelError where there is no reply. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>
  /** Learned from metadata and from earlier replies; never sends a chat. Never rejects. */
  abilities(): Promise<ModelAbilities>
}

/** Why there is no reply, in words for a person. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  /** True when the same request may work later. */
  readonly retryable: boolean

  constructor(message: string, options: { readonly retryable?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.retryable = options.retryable ?? false
  }
}
