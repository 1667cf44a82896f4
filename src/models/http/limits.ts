/** How long a server may take, in seconds. */
export interface Limits {
  /** Until the connection stands. */
  readonly connectSeconds: number
  /** Until the first byte of the answer: a local server loads the model and reads the prompt before it sends one. */
  readonly firstByteSeconds: number
  /** Between two pieces of the answer: some servers hold a tool call back until it is complete. */
  readonly idleSeconds: number
}

/** The limits of a chat. */
export const CHAT_LIMITS: Limits = { connectSeconds: 10, firstByteSeconds: 600, idleSeconds: 300 }

/** The limits of a request for metadata. */
export const METADATA_LIMITS: Limits = { connectSeconds: 2, firstByteSeconds: 5, idleSeconds: 5 }
