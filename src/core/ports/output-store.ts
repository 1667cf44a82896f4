import type { Outputs } from './outputs.ts'

/** Stores full outputs of calls. */
export interface OutputStore extends Outputs {
  /** Keeps the full output of a call; a later one under the same id replaces it. Resolves once it can be read. */
  keep(call: string, text: string): Promise<void>
}
