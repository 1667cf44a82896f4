import type { ClearedCall } from '../../core/call/call.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { isBelieved, type RegisteredTool } from '../../core/tool/snapshot.ts'

/** True where a call may change something: the ledger is told before it, and its end is kept before it is answered. */
export function hasEffect({ tool, origin }: RegisteredTool): boolean {
  return !isBelieved(origin) || (tool.effect !== 'none' && tool.effect !== 'read')
}

/** The line: resolves once the ledger has a call that may change something. Rejects with UNAVAILABLE, and then it must not run. */
export async function crossLine({ id, session, entry }: ClearedCall, { ledger }: Storage): Promise<void> {
  const { effect, idempotent = false } = entry.tool
  await ledger.begin({ session, call: id, effect, idempotent })
}

/** Waits until the end of a call is kept. What has happened has happened: where it cannot be kept the store says so, and the caller still gets the result. */
export async function keepEnd({ log }: Pick<Storage, 'log'>): Promise<void> {
  await log.flush().catch(() => undefined)
}
