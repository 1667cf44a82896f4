import type { Approver, Reply } from '../core/approval/approval.ts'
import type { Tasks } from '../core/call/task.ts'
import type { FilesDoor } from '../core/ports/files.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { Judge } from '../core/rules/rule.ts'
import type { Event, EventBody } from '../core/session/event.ts'
import type { Delegate } from '../core/tool/delegate.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import type { Desk } from './approve/give-answer.ts'
import type { Proposal } from './parse/parse.ts'
import type { Stop } from './stopping/stop.ts'
import type { BackgroundCalls } from './tasks/background-calls.ts'
import type { Detach } from './tasks/start-task.ts'

/** The parts of the house a call meets on its way. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly storage: Storage
  readonly files: FilesDoor
  readonly sandbox: Sandbox
  readonly desk: Desk
  /** Who is asked to open and show things; undefined where nobody shall be. */
  readonly delegate: Delegate | undefined
  readonly background: BackgroundCalls
  readonly tasks: Tasks
  /** The sessions that are known to have begun. */
  readonly sessions: Set<string>
  /** Appends an event to the log and hands it to the listeners of this process. */
  emit(body: EventBody): void
  /** Hands an event that is in the log already to the listeners of this process. */
  notify(event: Event): void
}

/** A call at a door, and how that door answers questions. */
export interface Request extends Proposal {
  readonly snapshot: Snapshot
  readonly decision?: Reply | undefined
  /** Who gave that decision, for the log. */
  readonly decidedBy?: string | undefined
  /** Who is asked directly. */
  readonly approver?: Approver | undefined
  /** With nobody to ask here, wait for an answer from another door. */
  readonly wait?: boolean | undefined
  readonly stop: Stop
  /** Seconds, in place of the tool's own limit. */
  readonly timeout?: number | undefined
  /** There where it shall run in the background. */
  readonly task?: Detach | undefined
}

/** The same parts for a walk that nobody shall notice: nothing is logged, no app is asked. */
export function quietParts(parts: Parts): Parts {
  return { ...parts, delegate: undefined, emit: () => undefined, notify: () => undefined }
}
