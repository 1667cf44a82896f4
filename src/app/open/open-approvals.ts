import type { Parts } from '../../pipeline/request.ts'
import { openGrants } from '../../settings/grants-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** What approval requests need beside their storage: the grants in Haft's home, what is masked, and how long a request waits. */
export function openApprovals(
  home: string | undefined,
  { log, approvals }: Settings,
): Pick<Parts, 'grants' | 'secrets' | 'expireMinutes'> {
  return { grants: openGrants(home), secrets: log.secrets, expireMinutes: approvals.expireMinutes }
}
