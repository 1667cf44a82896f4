import type { Desk } from '../pipeline/give-answer.ts'
import { openGrants } from '../settings/grants-file.ts'
import type { Settings } from '../settings/settings.ts'

/** The desk where questions are asked and answered, with the grants in Haft's home. */
export function openDesk(home: string | undefined, { log, approvals }: Settings): Desk {
  const { expireMinutes } = approvals
  return { grants: openGrants(home), secrets: log.secrets, expireMinutes, waiting: new Map() }
}
