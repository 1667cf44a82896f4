import type { RawCall, ValidCall } from '../../core/call/call.ts'
import { type Failure, failure } from '../../core/call/result.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Checked, Issue, Snapshot } from '../../core/tool/snapshot.ts'
import type { CallRun } from '../call-run.ts'
import type { Parsed } from '../parse/parse.ts'
import { settle } from '../parse/plain-data.ts'
import { renameArguments } from '../repair/rename-arguments.ts'
import { repairValue } from '../repair/repair.ts'
import { proceed, type Stage } from '../stage.ts'
import { PREPARING, stopDuring } from '../stopping/stop-during.ts'
import { type ParsedInput, settleParsed } from './parsed-value.ts'

/** A valid call and its repairs. */
export interface Validated {
  readonly call: ValidCall
  readonly repairs: readonly string[]
}

/** Checks the arguments against the tool's schema and logs what had to be repaired. */
export function validate(parsed: Parsed, run: CallRun): Stage<ValidCall> {
  const { snapshot, stop } = run.request
  return proceed(stopDuring(validateArguments(parsed, snapshot), stop, PREPARING), logRepairs, run)
}

function logRepairs({ call, repairs }: Validated, run: CallRun): ValidCall {
  run.valid = call
  run.repairs = repairs
  if (repairs.length > 0) run.parts.emit({ type: 'call-repaired', session: call.session, call: call.id, repairs })
  return call
}

/** Checks the arguments against the tool's schema, and repairs names and single values only after that failed. Returns a promise while the validator is compiled, and for schemas of an author's library. */
export function validateArguments(
  parsed: Parsed,
  snapshot: Snapshot,
): Validated | Failure | Promise<Validated | Failure> {
  const { raw } = parsed
  const checked = snapshot.check(raw.entry, raw.arguments)
  if (checked instanceof Promise) return checked.then((found) => conclude(parsed, found, snapshot))
  return conclude(parsed, checked, snapshot)
}

function conclude(
  parsed: Parsed,
  checked: Checked,
  snapshot: Snapshot,
): Validated | Failure | Promise<Validated | Failure> {
  if (checked.issues.length > 0) return repair(parsed, checked.issues, snapshot)
  return validated(parsed.raw, checked, parsed.repairs)
}

async function repair(parsed: Parsed, issues: readonly Issue[], snapshot: Snapshot): Promise<Validated | Failure> {
  const { raw, preset } = parsed
  const { parameters: schema, tool } = raw.entry
  const rename = (value: unknown) => renameArguments(value, schema, tool.argumentAliases)
  const read = (value: unknown, found: readonly Issue[]) =>
    repairValue(value, found, { schema, effect: tool.effect, preset })
  let { arguments: given } = raw
  let found = issues
  let { repairs } = parsed
  // A list that was given as text may hold other names too, and a value under a repaired name is checked only then.
  for (const step of [rename, read, rename, read]) {
    const repaired = step(given, found)
    if (repaired === undefined) continue
    const settled = settle(repaired.value)
    if ('problem' in settled || !isRecord(settled.value)) break
    given = settled.value
    repairs = [...repairs, ...repaired.repairs]
    const checked = await snapshot.check(raw.entry, given)
    if (checked.issues.length === 0) return validated({ ...raw, arguments: given }, checked, repairs)
    found = checked.issues
  }
  return refuse(raw, issues)
}

/** Returns the valid call, with the value that the author's schema parsed, if there is one. */
function validated(raw: RawCall, { parsed }: Checked, repairs: readonly string[]): Validated | Failure {
  const { arguments: given } = raw
  const made = parsed === undefined ? { input: given, shown: given } : settleParsed(parsed.value, given)
  if ('problem' in made) return refuse(raw, [{ path: [], message: made.problem }])
  return { call: validCall(raw, made), repairs }
}

function validCall({ id, session, entry, arguments: given, mode }: RawCall, { input, shown }: ParsedInput): ValidCall {
  return { id, session, entry, arguments: given, input, shown, mode } as ValidCall
}

/** The limits of a refusal: the number of issues, the characters of all issues, and the characters of one path. */
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
  const { name, invalidPrefix = '' } = raw.entry.tool
  return failure(
    'INVALID_ARGUMENTS',
    `${invalidPrefix}Invalid arguments for ${name} (refused by its schema, nothing was run):${lines.join('')}${more}`,
    { details: { issues: shown }, retryable: true },
  )
}
