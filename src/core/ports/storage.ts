import type { ApprovalStore } from './approval-store.ts'
import type { Leases } from './leases.ts'
import type { Ledger } from './ledger.ts'
import type { Log } from './log.ts'
import type { OutputStore } from './output-store.ts'
import type { PathLocks } from './path-locks.ts'
import type { UndoStore } from './undo-store.ts'

/** Everything that is stored, with one port for each concern. An adapter implements all of them. */
export interface Storage {
  readonly log: Log
  readonly approvals: ApprovalStore
  readonly ledger: Ledger
  readonly outputs: OutputStore
  readonly undo: UndoStore
  readonly leases: Leases
  readonly locks: PathLocks
  /** Writes what is pending and closes the file. May be called twice. */
  close(): void
}
