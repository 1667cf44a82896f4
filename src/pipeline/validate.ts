import type { RawCall, ValidCall } from '../core/call.ts'
import { type Failure, failure } from '../core/result.ts'
import type { Issue, Snapshot } from '../core/snapshot.ts'
import type { Parsed } from './parse.ts'
import { settle } from './plain-data.ts'
import { repairValue } from './repair.ts'

/** A valid call and everything that was mended on the way. */
export interface Validated {
  readonly call: ValidCall
  readonly repairs: readonly string[]
}

/** Holds the arguments against the tool's schema; mends single values only after that failed. A promise only while a validator is made. */
export function validate(parsed: Parsed, snapshot: Snapshot): Validated | Failure | Promise<Validated | Failure> {
  const { raw } = parsed
  const issues = snapshot.check(raw.entry, raw.arguments)
  if (issues instanceof Promise) return issues.then((found) => conclude(parsed, found, snapshot))
  return conclude(parsed, issues, snapshot)
}

function conclude(
  parsed: Parsed,
  issues: readonly Issue[],
  snapshot: Snapshot,
): Validated | Failure | Promise<Validated | Failure> {
  if (issues.length === 0) return { call: validCall(parsed.raw, parsed.raw.arguments), repairs: parsed.repairs }
  return mend(parsed, issues, snapshot)
}

async function mend(parsed: Parsed, issues: readonly Issue[], snapshot: Snapshot): Promise<Validated | Failure> {
  const { raw } = parsed
  const repaired = repairValue(raw.arguments, issues, raw.entry.parameters)
  if (repaired === undefined) return refuse(raw, issues)
  const settled = settle(repaired.value)
  const left = 'value' in settled ? await snapshot.check(raw.entry, settled.value) : issues
  if (left.length > 0 || !('value' in settled)) return refuse(raw, issues)
  return { call: validCall(raw, settled.value), repairs: [...parsed.repairs, ...repaired.repairs] }
}

function validCall({ id, session, entry }: RawCall, input: unknown): ValidCall {
  return { id, session, entry, input } as ValidCall
}

/** What a refusal shows: so many issues, so many characters of them all, so many of a place. */
const SHOWN = 20
const SHOWN_TEXT = 1_500
const SHOWN_PLACE = 200

function refuse(raw: RawCall, issues: readonly Issue[]): Failure {
  const shown: { readonly path: string; readonly message: string }[] = []
  let length = 0
  for (const { path, message } of issues.slice(0, SHOWN)) {
    length += message.length
    if (shown.length > 0 && length > SHOWN_TEXT) break
    shown.push({ path: path.join('.').slice(0, SHOWN_PLACE), message: message.slice(0, SHOWN_TEXT) })
  }
  const lines = shown.map(({ message }) => `\n- ${message}`)
  const more = issues.length > shown.length ? `\n- and ${issues.length - shown.length} more` : ''
  return failure(
    'INVALID_ARGUMENTS',
    `Invalid arguments for ${raw.entry.tool.name} (refused by its schema, nothing was run):${lines.join('')}${more}`,
    { details: { issues: shown }, retryable: true },
  )
}
