import type { ClearedCall } from '../../core/call/call.ts'
import { jsonText } from '../../core/call/call-record.ts'
import type { Result } from '../../core/call/result.ts'
import { maskSecrets } from '../../core/secrets/mask-secrets.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import { isRecord } from '../../core/text/json.ts'

/** The most characters of the arguments that the note repeats. */
const SHOWN = 2_000

/** Adds a note before the text of a result that says which arguments a person changed and what ran. */
export function noteChangedArguments(
  result: Result,
  { arguments: given, proposed }: ClearedCall,
  masker: Masker,
): Result {
  const ran = jsonText(maskSecrets(given, masker).value)
  const shown = ran.length > SHOWN ? `${ran.slice(0, SHOWN)}…` : ran
  const keys = changedKeys(isRecord(proposed) ? proposed : {}, given)
  const note = `A person changed the arguments; what ran: ${shown} (changed: ${keys.join(', ')})`
  const text = `${note}\n${result.text}`
  if (!result.ok || result.frame === undefined) return { ...result, text }
  return { ...result, text, frame: result.frame === '' ? note : `${note}\n${result.frame}` }
}

function changedKeys(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.filter((key) => jsonText(before[key]) !== jsonText(after[key]))
}
