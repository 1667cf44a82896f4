/** A call in a message of a model; the id is that of the `call-start` event. */
export interface MessageCall {
  readonly call: string
  readonly name: string
  readonly arguments: unknown
}

/** Something a person attached to a message. */
export interface Attachment {
  readonly name: string
  readonly mediaType: string
  /** Plain text, or base64 for anything else. */
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
  /** True for a message of the role `user` that Haft wrote to the model, such as a warning that it repeats itself. */
  readonly isNotice?: true
  /** Opaque data of the provider; never masked or shown. */
  readonly wire?: unknown
}
