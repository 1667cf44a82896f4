/** A call as a model made it: the id is that of our `call-start`. */
export interface MessageCall {
  readonly call: string
  readonly name: string
  readonly arguments: unknown
}

/** Something a person attached to a message. */
export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** Text as it is, anything else as base64. */
  readonly content: string
  readonly encoding?: 'base64'
}

/** One message of a conversation. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  readonly reasoning?: string
  readonly calls?: readonly MessageCall[]
  readonly attachments?: readonly Attachment[]
  /** Opaque data of a provider: never masked, never shown. */
  readonly wire?: unknown
}
