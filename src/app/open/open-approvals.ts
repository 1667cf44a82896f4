import type { Parts } from '../../pipeline/request.ts'
import { openGrants } from '../../settings/grants-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** Returns what approval requests need beside their storage: the grants in Haft's home, and how long a request waits. */
export function openApprovals(
  home: string | undefined,
  { approvals }: Settings,
): Pick<Parts, 'grants' | 'expireMinutes'> {
  return { grants: openGrants(home), expireMinutes: approvals.expireMinutes }
}
