import { forgetPending, keepPending } from '../pending/pending-record.ts'
import type { Journal } from './journal.ts'

/** Called once all steps are applied and before the journal is forgotten: keeps what stays pending, and no more. */
export function settlePending(run: string, { left }: Journal): void {
  if (left) keepPending(run, left)
  else forgetPending(run)
}
