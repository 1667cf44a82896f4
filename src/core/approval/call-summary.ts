/** What a row of a summary is about, the worst first; `undo` comes last. */
export type SummaryKind = 'deletes' | 'changes' | 'creates' | 'sends' | 'runs' | 'reads' | 'network' | 'undo'

/** One thing that a call would do, for people. */
export interface SummaryRow {
  readonly kind: SummaryKind
  readonly text: string
  /** `bad`: it destroys, leaves the workspace or cannot be undone; `quiet`: there is nothing to note. */
  readonly tone?: 'bad' | 'quiet'
}

/** One command of a command line, as Haft read it. */
export interface SummaryCommand {
  readonly text: string
  /** False if part of it is known only when it runs. */
  readonly isExact: boolean
}

/** What a call would do, in Haft's words: made from what was read in the call, never from what a model says about it. */
export interface CallSummary {
  /** One sentence, the worst effect first; parts between backticks are literal text of the call. */
  readonly sentence: string
  readonly rows: readonly SummaryRow[]
  readonly commands: readonly SummaryCommand[]
  /** False if the call would do something that Haft cannot undo. */
  readonly canUndo: boolean
}
