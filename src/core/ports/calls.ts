import type { Result } from '../call/result.ts'
import type { Mode } from '../session/mode.ts'
import type { Snapshot } from '../tool/snapshot.ts'

/** One call of an agent. */
export interface AgentCall {
  readonly name: string
  readonly arguments: unknown
  readonly mode?: Mode
}

/** How an agent makes the calls of its session. */
export interface Calls {
  /** Returns the tools that the session has now. */
  snapshot(): Snapshot
  /** Makes the id of the next call, so that a message can name it before it begins. */
  nextId(): string
  /** Runs one call under an id from `nextId`, in the mode of the session unless another is given. Calls keep their order; neighbours that only read run together. Never rejects. */
  run(id: string, call: AgentCall, signal: AbortSignal): Promise<Result>
}
