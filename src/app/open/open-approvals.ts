import type { Desk } from '../../pipeline/approve/give-answer.ts'
import { openGrants } from '../../settings/grants-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** What approval requests need beside their storage: the grants in Haft's home, what is masked, and how long a request waits. */
export function openApprovals(home: string | undefined, { log, approvals }: Settings): Desk {
  return { grants: openGrants(home), secrets: log.secrets, expireMinutes: approvals.expireMinutes }
}
