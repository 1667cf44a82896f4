import { BACKGROUND } from '../../core/call/background.ts'
import type { RawCall } from '../../core/call/call.ts'
import { type Failure, failure, isFailure } from '../../core/call/result.ts'
import type { Mode } from '../../core/session/mode.ts'
import { findExcess } from '../../core/text/find-excess.ts'
import { isRecord } from '../../core/text/json.ts'
import { findLoss } from '../../core/text/lossy-json.ts'
import type { Alias } from '../../core/tool/alias.ts'
import { findPreset } from '../../core/tool/find-preset.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'
import { readJson, type TextProblem } from '../repair/json-text.ts'
import { decodeString, repairText } from '../repair/repair.ts'
import { MAX_SIZE, settle, TOO_LARGE } from './plain-data.ts'
import { type TakenBackground, takeBackground } from './take-background.ts'

/** A call as an interface receives it: a name and unchecked arguments. */
export interface Proposal {
  readonly id: string
  readonly session: string
  readonly name: string
  readonly arguments: unknown
  /** The mode of its session; `ask` when left out. */
  readonly mode?: Mode | undefined
}

/** A raw call and the repairs that were needed to read it. */
export interface Parsed {
  readonly raw: RawCall
  readonly repairs: readonly string[]
  /** True if it is to run in the background. */
  readonly background: boolean
  /** The default arguments of the alias it was called by. */
  readonly preset: Alias['preset']
}

const NO_REPAIRS: readonly string[] = Object.freeze([])
const EMPTY: Given = { value: Object.freeze({}), text: undefined, repairs: NO_REPAIRS }

/** Arguments as a value, the JSON text they were read from, and the repairs. */
interface Given {
  readonly value: unknown
  readonly text: string | undefined
  readonly repairs: readonly string[]
}

/** Finds the tool and turns the arguments, text or object, into frozen plain data. Never throws. Returns a promise only if text must be repaired. */
export function parse(proposal: Proposal, snapshot: Snapshot): Parsed | Failure | Promise<Parsed | Failure> {
  if (typeof proposal.name !== 'string') return namelessTool(proposal.name)
  const entry = snapshot.find(proposal.name)
  if (entry === undefined) return unknownTool(proposal.name, snapshot)
  const given = proposal.arguments
  if (typeof given !== 'string') {
    return settleCall(proposal, entry, given == null ? EMPTY : { value: given, text: undefined, repairs: NO_REPAIRS })
  }
  const read = readText(given, entry)
  if (read instanceof Promise)
    return read.then((later) => (isFailure(later) ? later : settleCall(proposal, entry, later)))
  return isFailure(read) ? read : settleCall(proposal, entry, read)
}

/** The failure for a name that is not a string. The types exclude it, but data from a network may contain it. */
function namelessTool(name: unknown): Failure {
  return failure('UNKNOWN_TOOL', `unknown tool: the name of a tool must be a string, got ${typeof name}.`, {
    details: { nearest: [] },
  })
}

function unknownTool(name: string, snapshot: Snapshot): Failure {
  const near = snapshot.nearest(name)
  const shown = JSON.stringify(name.slice(0, 100))
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : listNames(snapshot)
  return failure('UNKNOWN_TOOL', `unknown tool ${shown}: no tool has this name. ${hint}`, {
    details: { nearest: near },
  })
}

function listNames({ tools }: Snapshot): string {
  if (tools.length === 0) return 'There are no tools here.'
  const names = tools.slice(0, 40).map(({ tool }) => tool.name)
  const more = names.length < tools.length ? ` and ${tools.length - 40} more` : ''
  return `The tools are: ${names.join(', ')}${more}.`
}

function readText(text: string, entry: RegisteredTool): Given | Failure | Promise<Given | Failure> {
  const excess = text.length > MAX_SIZE ? TOO_LARGE : findExcess(text)
  if (excess !== undefined) return invalid(entry, excess)
  const read = readJson(text)
  if ('problem' in read) return text.trim() === '' ? EMPTY : readBroken(text, read, entry)
  if (typeof read.value === 'string') return decodeString(read.value) ?? readInner(read.value, entry)
  return read.value === null ? EMPTY : { value: read.value, text, repairs: NO_REPAIRS }
}

/** Handles arguments that are a JSON string which does not contain a JSON object: empty text, or a malformed object. */
function readInner(inner: string, entry: RegisteredTool): Given | Failure | Promise<Given | Failure> {
  const excess = findExcess(inner)
  if (excess !== undefined) return invalid(entry, excess)
  const read = readJson(inner)
  if ('problem' in read) return inner.trim() === '' ? EMPTY : readBroken(inner, read, entry)
  return read.value === null ? EMPTY : notAnObject(entry, read.value)
}

async function readBroken(text: string, problem: TextProblem, entry: RegisteredTool): Promise<Given | Failure> {
  const repaired = await repairText(text, problem)
  return 'problem' in repaired ? unreadable(entry, repaired.problem) : repaired
}

function settleCall(
  { id, session, name, mode }: Proposal,
  entry: RegisteredTool,
  { value, text, repairs }: Given,
): Parsed | Failure {
  const settled = settle(value, text !== undefined)
  if ('problem' in settled) return invalid(entry, settled.problem)
  if (!isRecord(settled.value)) return notAnObject(entry, settled.value)
  if (settled.mask !== undefined) return invalid(entry, holdsMask(settled.mask))
  const loss = text === undefined ? undefined : findLoss(text, settled.keys)
  if (loss !== undefined) return unreadable(entry, loss)
  const allRepairs =
    settled.dropped === 0 ? repairs : [...repairs, 'left out __proto__: a key of that name is never data']
  const preset = findPreset(entry, name)
  const own = settled.value[BACKGROUND] === undefined ? NO_BACKGROUND : takeBackground(settled.value, entry)
  if ('problem' in own) return invalid(entry, own.problem)
  const given = addPreset(own.value ?? settled.value, preset)
  const raw: RawCall = { id, session, entry, arguments: given, mode }
  const all = own.repairs.length === 0 ? allRepairs : [...allRepairs, ...own.repairs]
  return { raw, repairs: all, background: own.background, preset }
}

const NO_BACKGROUND: TakenBackground = Object.freeze({ background: false, value: undefined, repairs: NO_REPAIRS })

/** Returns the arguments of a call, with the default arguments of its alias added. */
function addPreset(own: RawCall['arguments'], preset: Alias['preset']): RawCall['arguments'] {
  return preset === undefined ? own : Object.freeze({ ...preset, ...own })
}

/** A mask is no secret: a file or command that held one would be wrong. */
function holdsMask(mask: string): string {
  return `they hold ${mask}, which stands for a secret that was hidden. Leave out the part with the secret, for example by editing only the lines around it, or ask the person for it`
}

function unreadable(entry: RegisteredTool, problem: string): Failure {
  return invalid(entry, `the arguments cannot be read as JSON: ${problem}. Expected one complete JSON object`)
}

function notAnObject(entry: RegisteredTool, value: unknown): Failure {
  const type = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
  return invalid(entry, `expected the arguments as a JSON object, got ${type}`)
}

function invalid(entry: RegisteredTool, problem: string): Failure {
  const { name, invalidPrefix = '' } = entry.tool
  return failure('INVALID_ARGUMENTS', `${invalidPrefix}Invalid arguments for ${name}: ${problem}. Nothing was run.`, {
    retryable: true,
  })
}
