import { isRecord } from '../../core/text/json.ts'
import { parseJson } from '../parse-json.ts'

/** The arguments of an earlier call as an object, for servers that refuse anything else. Text that is not a JSON object is kept under a key of its own. */
export function argumentsObject(given: unknown): Record<string, unknown> {
  if (isRecord(given)) return given
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return {}
  const parsed = typeof given === 'string' ? parseJson(given) : given
  return isRecord(parsed) ? parsed : { invalid_arguments: given }
}

/** The arguments of an earlier call as JSON text: byte for byte where the model wrote a JSON object. */
export function argumentsText(given: unknown): string {
  return typeof given === 'string' && isRecord(parseJson(given)) ? given : JSON.stringify(argumentsObject(given))
}
