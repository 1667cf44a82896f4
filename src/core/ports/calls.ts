import type { Result } from '../call/result.ts'
import type { Snapshot } from '../tool/snapshot.ts'

/** How an agent makes the calls of its session. */
export interface Calls {
  /** The tools of the session. */
  readonly snapshot: Snapshot
  /** Makes the id of the next call, so that a message can name it before it begins. */
  nextId(): string
  /** Runs one call under an id from `nextId`. Calls keep their order; neighbours that only read run together. Never rejects. */
  run(id: string, call: { readonly name: string; readonly arguments: unknown }, signal: AbortSignal): Promise<Result>
}
