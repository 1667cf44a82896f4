import type { Parts } from '../../pipeline/request.ts'
import { openGrants } from '../../settings/grants/grants-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** Opens what approval requests need in addition to the storage: the grants of the home, and how long a request waits. */
export function openApprovals(
  home: string | undefined,
  { approvals }: Settings,
): Pick<Parts, 'grants' | 'expireMinutes'> {
  return { grants: openGrants(home), expireMinutes: approvals.expireMinutes }
}
