import type { Effect } from '../tool/tool.ts'

/** A call that is about to have an effect. */
export interface LedgerEntry {
  readonly session: string
  readonly call: string
  readonly effect: Effect
  readonly idempotent: boolean
}

/** Records calls with an effect before they run. */
export interface Ledger {
  /** Resolves once the row of the call is committed. Rejects with UNAVAILABLE; then the call must not run. */
  begin(entry: LedgerEntry): Promise<void>
}
