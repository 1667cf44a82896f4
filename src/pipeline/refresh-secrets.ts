import type { Masker } from '../core/secrets/masker.ts'
import { isBelieved, type RegisteredTool } from '../core/tool/snapshot.ts'

/** How old what is known of secrets may be for a tool that touches nothing, in milliseconds. */
const WITHIN = 100

/** Looks for new secrets before a call is logged, at the time `now` of the process's clock. Looking at files takes three times as long as a whole call of a tool that touches nothing, and such a tool shows no file, so it looks less often (gate 1b). */
export function refreshSecrets(masker: Masker, entry: RegisteredTool | undefined, now: number): void {
  const touchesNothing = entry !== undefined && entry.tool.effect === 'none' && isBelieved(entry.origin)
  masker.refresh(touchesNothing ? WITHIN : 0, now)
}
