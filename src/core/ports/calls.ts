import type { Result } from '../call/result.ts'
import type { MessageCall } from '../session/message.ts'
import type { Mode } from '../session/mode.ts'
import type { Snapshot } from '../tool/snapshot.ts'

/** How an agent makes the calls of its session. */
export interface Calls {
  /** Returns the tools that the session has now. */
  snapshot(): Snapshot
  /** Makes the id of the next call, so that a message can name it before it begins. */
  nextId(): string
  /** Runs the calls of a message, whose ids are from `nextId`, in the mode of the session unless another is given. Calls keep their order; neighbours that change nothing run together. Returns one promise for each call; none of them rejects. */
  run(calls: readonly MessageCall[], signal: AbortSignal, mode?: Mode): readonly Promise<Result>[]
}
