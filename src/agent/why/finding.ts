/** Why a tool was not used as expected; `used` where nothing kept it from being used. */
export type WhyCause =
  /** Its file was not loaded. */
  | 'skipped'
  /** There is no tool of this name. */
  | 'unknown'
  /** The session's selection leaves it out. */
  | 'not-selected'
  /** It was taken away while the session went on, so that later requests did not name it. */
  | 'not-offered'
  /** The model was never reached. */
  | 'no-reply'
  /** The model was told of it and made no call. */
  | 'never-called'
  /** The model called something else by a similar name. */
  | 'misnamed'
  /** The run ended at its step limit before the tool was called, or before the model saw its result. */
  | 'step-limit'
  /** The call came after one that ended the run, so that it was not run. */
  | 'not-run'
  | 'blocked'
  | 'denied'
  /** The call failed for another reason, such as wrong arguments. */
  | 'failed'
  /** The call has no result: it runs or waits, or its process ended. */
  | 'unfinished'
  /** The call has a result that the model was never sent. */
  | 'not-sent'
  /** The model was sent the result and later a short note in its place. */
  | 'folded'
  | 'used'

/** One answer to why. */
export interface WhyFinding {
  readonly cause: WhyCause
  /** What happened and what to do, for a person. */
  readonly text: string
  /** The call it is about. */
  readonly call?: string
}
