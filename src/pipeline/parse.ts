import type { RawCall } from '../core/call.ts'
import { isRecord } from '../core/json.ts'
import { type Failure, failure, isFailure } from '../core/result.ts'
import type { RegisteredTool, Snapshot } from '../core/snapshot.ts'
import { readJson } from './json-text.ts'
import { MAX_SIZE, settle, TOO_LARGE } from './plain-data.ts'
import { decodeString, type Repaired, repairText } from './repair.ts'

/** A call as it comes in at a door: a name and arguments that nobody has looked at. */
export interface Proposal {
  readonly id: string
  readonly session: string
  readonly name: string
  readonly arguments: unknown
}

/** A raw call and what had to be mended to read it. */
export interface Parsed {
  readonly raw: RawCall
  readonly repairs: readonly string[]
}

const NO_REPAIRS: readonly string[] = []
const NO_ARGUMENTS: Repaired = { value: Object.freeze({}), repairs: NO_REPAIRS }

/** Finds the tool and turns the arguments, text or object, into frozen plain data. A promise only where text must be repaired. */
export function parse(proposal: Proposal, snapshot: Snapshot): Parsed | Failure | Promise<Parsed | Failure> {
  const entry = snapshot.find(proposal.name)
  if (entry === undefined) return unknownTool(proposal.name, snapshot)
  const given = proposal.arguments
  if (typeof given !== 'string')
    return settleCall(proposal, entry, { value: given ?? NO_ARGUMENTS.value, repairs: NO_REPAIRS })
  const read = readText(given, entry)
  return read instanceof Promise
    ? read.then((later) => (isFailure(later) ? later : settleCall(proposal, entry, later)))
    : isFailure(read)
      ? read
      : settleCall(proposal, entry, read)
}

function unknownTool(name: string, snapshot: Snapshot): Failure {
  const near = snapshot.nearest(name)
  const shown = JSON.stringify(name.slice(0, 100))
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${listNames(snapshot)}.`
  return failure('UNKNOWN_TOOL', `unknown tool ${shown}: no tool has this name. ${hint}`, {
    details: { nearest: near },
  })
}

function listNames(snapshot: Snapshot): string {
  const names = snapshot.tools.slice(0, 40).map(({ tool }) => tool.name)
  return names.length < snapshot.tools.length
    ? `${names.join(', ')} and ${snapshot.tools.length - 40} more`
    : names.join(', ')
}

function readText(text: string, entry: RegisteredTool): Repaired | Failure | Promise<Repaired | Failure> {
  if (text.length > MAX_SIZE) return invalid(entry, TOO_LARGE)
  const read = readJson(text)
  if ('value' in read) {
    if (typeof read.value === 'string') return readInnerText(read.value, entry)
    return read.value === null ? NO_ARGUMENTS : { value: read.value, repairs: NO_REPAIRS }
  }
  if (text.trim() === '') return NO_ARGUMENTS
  return repairText(text, read).then((repaired) =>
    'problem' in repaired ? unreadable(entry, repaired.problem) : repaired,
  )
}

/** The arguments were a JSON string: what stands in it counts, if it is an object. */
function readInnerText(inner: string, entry: RegisteredTool): Repaired | Failure | Promise<Repaired | Failure> {
  const decoded = decodeString(inner)
  if (decoded !== undefined) return decoded
  const read = readJson(inner)
  if ('value' in read) return notAnObject(entry, read.value)
  return repairText(inner, read).then((repaired) =>
    'problem' in repaired ? unreadable(entry, repaired.problem) : repaired,
  )
}

function settleCall(proposal: Proposal, entry: RegisteredTool, read: Repaired): Parsed | Failure {
  const settled = settle(read.value)
  if ('problem' in settled) return invalid(entry, settled.problem)
  if (!isRecord(settled.value)) return notAnObject(entry, settled.value)
  const { id, session } = proposal
  const raw: RawCall = { id, session, entry, arguments: settled.value }
  if (settled.dropped.length === 0) return { raw, repairs: read.repairs }
  return {
    raw,
    repairs: [...read.repairs, ...settled.dropped.map((key) => `left out ${key}: a key of that name is never data`)],
  }
}

function unreadable(entry: RegisteredTool, problem: string): Failure {
  return invalid(entry, `the arguments cannot be read as JSON: ${problem}. Expected one JSON object, whole`)
}

function notAnObject(entry: RegisteredTool, value: unknown): Failure {
  const type = Array.isArray(value) ? 'an array' : typeof value
  return invalid(entry, `expected the arguments as a JSON object, got ${type}`)
}

function invalid(entry: RegisteredTool, problem: string): Failure {
  return failure('INVALID_ARGUMENTS', `Invalid arguments for ${entry.tool.name}: ${problem}. Nothing was run.`, {
    retryable: true,
  })
}
