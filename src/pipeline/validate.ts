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

function refuse(raw: RawCall, issues: readonly Issue[]): Failure {
  const shown = issues.slice(0, 20).map(({ message }) => `\n- ${message}`)
  const more = issues.length > 20 ? `\n- and ${issues.length - 20} more` : ''
  return failure(
    'INVALID_ARGUMENTS',
    `Invalid arguments for ${raw.entry.tool.name} (refused by its schema, nothing was run):${shown.join('')}${more}`,
    {
      details: { issues: issues.slice(0, 20).map(({ path, message }) => ({ path: path.join('.'), message })) },
      retryable: true,
    },
  )
}
