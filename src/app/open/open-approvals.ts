import type { Parts } from '../../pipeline/request.ts'
import { openGrants } from '../../settings/grants-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** Opens what approval requests need in addition to the storage: the grants of the home, the patterns to mask, and how long a request waits. */
export function openApprovals(
  home: string | undefined,
  { log, approvals }: Settings,
): Pick<Parts, 'grants' | 'secrets' | 'expireMinutes'> {
  return { grants: openGrants(home), secrets: log.secrets, expireMinutes: approvals.expireMinutes }
}
