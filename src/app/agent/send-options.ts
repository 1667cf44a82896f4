import type { Model } from '../../core/ports/model.ts'
import type { Attachment } from '../../core/session/message.ts'

/** How a session goes on without a message. */
export interface ResumeOptions extends Omit<SendOptions, 'attachments'> {
  /** Goes on after the limit of steps as well. */
  readonly afterLimit?: boolean
}

/** How a message is sent. */
export interface SendOptions {
  readonly attachments?: readonly Attachment[]
  /** The model for this run, by name or as an object; else that of the session, else that of the settings. */
  readonly model?: string | Model
  /** Replies of the model at most; `[run] max_steps` of the settings when left out. */
  readonly maxSteps?: number
  /** In place of the system prompt that Haft makes. */
  readonly system?: string
  /** Records the replies of the model in this file. */
  readonly record?: string
  /** Stops the run; the session stays. */
  readonly signal?: AbortSignal
}
