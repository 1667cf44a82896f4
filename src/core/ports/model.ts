import type { ErrorCode } from '../call/codes.ts'
import type { Usage } from '../session/event.ts'
import type { Attachment, Message } from '../session/message.ts'
import type { JsonSchema } from '../text/json.ts'

/** A tool as it is described to a model; `name` is the wire name. */
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
  /** The code of a failure. Absent if the call succeeded. */
  readonly code?: ErrorCode
  /** Images that the tool returned. Models without image input get a description instead. */
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
  /** The most tokens of the reply, where they are not those of the model's settings. */
  readonly maxOutput?: number
}

/** A call exactly as a model made it. */
export interface ModelCall {
  /** The id given by the model. It may be missing or repeated. */
  readonly id?: string
  readonly name: string
  /** JSON text or an object, as received. */
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
  /** Opaque data that must be sent back unchanged with this message, such as signatures of reasoning. */
  readonly wire?: unknown
  /** What was malformed in the reply and how it was read, one sentence each. Includes calls that were printed as text. */
  readonly repairs: readonly string[]
  /** The tools whose parameters the model's protocol could not carry in full; `haft tools --report` says what is missing. */
  readonly simplified?: readonly string[]
  /** The tools that the model was not sent, since its server refuses their definitions. */
  readonly leftOut?: readonly string[]
}

/** What arrives while a model writes, and its full reply at the end. */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** The request is sent again; nothing of the reply had arrived. */
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
  /** The size of its context window, in tokens. */
  readonly context?: number
  /** True where the server makes a grammar of the tools' parameters, which takes neither limits nor rare keywords. */
  readonly grammar?: boolean
  /** Tools whose definitions the server refused, by name and digest; they are left out of requests. */
  readonly refusedTools?: readonly string[]
  /** False where the prompt template has no place for a system message. */
  readonly systemRole?: boolean
  /** True where messages of the user and of the model must take turns. */
  readonly alternates?: boolean
  /** True where the prompt template shows one call of a message only. */
  readonly singleCalls?: boolean
  /** True where ids of calls must be nine letters and digits. */
  readonly shortCallIds?: boolean
}

/** A language model behind any protocol. */
export interface Model {
  /** The name in the settings: `ollama:qwen3:8b`. */
  readonly name: string
  /** Yields parts as they arrive, and the full reply last. Throws ModelError if there is no reply. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>
  /** Reads the abilities from metadata and earlier replies; never sends a chat request. Never rejects. */
  abilities(): Promise<ModelAbilities>
}

/** The reason why there is no reply, as a message for people. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  /** True if the same request may succeed later. */
  readonly retryable: boolean

  constructor(message: string, options: { readonly retryable?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.retryable = options.retryable ?? false
  }
}
