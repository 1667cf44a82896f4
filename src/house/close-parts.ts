import type { Grants } from '../core/grant.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { Store } from '../core/store.ts'
import { keepEnd } from '../pipeline/ledger.ts'

/** The parts of a host that can be closed, and what the host was handed of them. */
export interface ClosableParts {
  readonly sandbox: Sandbox
  readonly store: Store
  readonly grants: Grants
  readonly handed: { readonly store?: Store | 'memory'; readonly sandbox?: 'off' | Sandbox }
}

/** Closes the parts that the host opened itself. Those it was handed stay open for whoever opened them; what was written to such a store is committed. */
export async function closeParts({ sandbox, store, grants, handed }: ClosableParts): Promise<void> {
  if (handed.sandbox !== sandbox) await sandbox.close()
  grants.close()
  if (handed.store === store) await keepEnd(store)
  else store.close()
}
