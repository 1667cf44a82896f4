import type { Approvals, Reply } from '../core/approvals.ts'
import type { EventBody } from '../core/event.ts'
import type { FilesDoor } from '../core/files.ts'
import type { Judge } from '../core/rule.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { Snapshot } from '../core/snapshot.ts'
import type { Store } from '../core/store.ts'
import { CallContext } from './call-context.ts'
import type { Desk } from './give-answer.ts'
import type { Proposal } from './parse.ts'
import type { Stop } from './stop.ts'

/** The parts of the house a call meets on its way. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly store: Store
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  readonly desk: Desk
  emit(body: EventBody): void
}

/** A call at a door, and how that door answers questions. */
export interface Request extends Proposal {
  readonly snapshot: Snapshot
  readonly decision?: Reply | undefined
  readonly approvals?: Approvals | undefined
  /** With nobody to ask here, wait for an answer from another door. */
  readonly wait?: boolean | undefined
  readonly stop: Stop
  /** Seconds, in place of the tool's own limit. */
  readonly timeout?: number | undefined
}

/** What a call's tool may reach. */
export function contextOf(
  { id, session, stop }: Request,
  { workspace, store, files, sandbox, judge }: Parts,
): CallContext {
  return new CallContext({ workspace, session, call: id, outputs: store, files, sandbox, judge }, stop)
}
