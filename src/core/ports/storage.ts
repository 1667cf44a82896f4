import type { ApprovalStore } from './approval-store.ts'
import type { Leases } from './leases.ts'
import type { Ledger } from './ledger.ts'
import type { Log } from './log.ts'
import type { OutputStore } from './output-store.ts'
import type { PathLocks } from './path-locks.ts'
import type { UndoStore } from './undo-store.ts'

/** Everything that is kept, one port a concern; an adapter gives all of them. */
export interface Storage {
  readonly log: Log
  readonly approvals: ApprovalStore
  readonly ledger: Ledger
  readonly outputs: OutputStore
  readonly undo: UndoStore
  readonly leases: Leases
  readonly locks: PathLocks
  /** Writes what is pending and lets go of the file; may be called twice. */
  close(): void
}
