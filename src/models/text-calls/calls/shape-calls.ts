import { isRecord } from '../../../core/text/json.ts'
import { readLiteral } from '../literals/read-literal.ts'
import { skipSpace } from '../literals/reading.ts'
import type { PrintedCall } from './printed-call.ts'

/** How sure we are that a value is meant as a call: `marked` in a family's markup, `bare` when nothing but its shape says so. */
export type Certainty = 'marked' | 'bare'

/** A name and arguments found in a value. */
export type ShapedCall = Pick<PrintedCall, 'name' | 'arguments'>

const NAME_KEYS = ['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action', 'recipient_name']
const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'kwargs',
  'action_input',
  'tool_input',
  'tool_args',
  'tool_arguments',
  'tool_parameters',
]
/** Keys that hold one call, or a list of calls. */
const WRAPPERS = ['function', 'function_call', 'functionCall', 'tool_call', 'toolCall', 'tool']
const LISTS = ['tool_calls', 'toolCalls', 'function_calls', 'tool_uses', 'calls', 'actions']
/** Keys that may stand beside a call and mean nothing for it. */
const BESIDE = new Set([
  'id',
  'call_id',
  'tool_call_id',
  'index',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'thinking',
  'explanation',
])
/** Values of `type` beside a call. */
const CALL_TYPES = new Set(['function', 'function_call', 'tool_call', 'tool_use', 'tool'])
/** Keys of a message around a list of calls. */
const MESSAGE_KEYS = new Set(['role', 'content', ...BESIDE])
/** Keys that make an object a definition of a tool or a record of a finished call. */
const NO_CALL = ['inputSchema', 'input_schema', 'result', 'output', 'response']

/** Returns the calls that a JSON value stands for, or undefined when it stands for anything else. */
export function shapeCalls(value: unknown, certainty: Certainty): readonly ShapedCall[] | undefined {
  if (Array.isArray(value)) return shapeList(value, certainty)
  if (!isRecord(value)) return undefined
  const list = LISTS.find((key) => Array.isArray(value[key]))
  if (list !== undefined && hasOnly(value, [list], MESSAGE_KEYS)) return shapeList(value[list], certainty)
  const wrapper = WRAPPERS.find((key) => isRecord(value[key]))
  if (wrapper !== undefined && hasOnly(value, [wrapper], BESIDE)) return shapeCalls(value[wrapper], certainty)
  const call = shapeCall(value, certainty)
  return call === undefined ? undefined : [call]
}

function shapeList(values: unknown, certainty: Certainty): readonly ShapedCall[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  const calls = values.map((value) => (isRecord(value) ? shapeCalls(value, certainty) : undefined))
  return calls.every((one) => one !== undefined) ? calls.flat() : undefined
}

function shapeCall(value: Readonly<Record<string, unknown>>, certainty: Certainty): ShapedCall | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string')
  if (nameKey === undefined || NO_CALL.some((key) => Object.hasOwn(value, key))) return undefined
  const name = String(value[nameKey])
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key))
  if (argumentKey === undefined) return shapeFlat(value, { name, nameKey, certainty })
  if (certainty === 'bare' && !hasOnly(value, [nameKey, argumentKey], BESIDE)) return undefined
  const given = readArguments(value[argumentKey])
  return given === undefined || isSchema(given) ? undefined : { name, arguments: given }
}

interface Flat {
  readonly name: string
  readonly nameKey: string
  readonly certainty: Certainty
}

/** Reads `{"name": "x", "path": "y"}`, where the arguments stand beside the name: in markup only. */
function shapeFlat(
  value: Readonly<Record<string, unknown>>,
  { name, nameKey, certainty }: Flat,
): ShapedCall | undefined {
  if (certainty === 'bare') return undefined
  const rest = Object.entries(value).filter(([key]) => key !== nameKey && !BESIDE.has(key) && key !== 'type')
  return { name, arguments: Object.fromEntries(rest) }
}

/** Returns arguments given as an object, as its JSON text, or as nothing at all. */
export function readArguments(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(given)) return given
  if (given === null || (typeof given === 'string' && given.trim() === '')) return {}
  if (Array.isArray(given) && given.length === 0) return {}
  if (typeof given !== 'string') return undefined
  const text = given.trim()
  const read = readLiteral(text, 0)
  if (typeof read === 'string' || skipSpace(text, read.end) < text.length) return undefined
  return isRecord(read.value) ? read.value : undefined
}

/** True for a JSON Schema of arguments, which stands in a definition of a tool and never in a call. */
function isSchema(value: Readonly<Record<string, unknown>>): boolean {
  return (
    '$schema' in value || (value.type === 'object' && (isRecord(value.properties) || Object.keys(value).length === 1))
  )
}

function hasOnly(
  value: Readonly<Record<string, unknown>>,
  main: readonly string[],
  beside: ReadonlySet<string>,
): boolean {
  return Object.entries(value).every(
    ([key, one]) =>
      main.includes(key) || beside.has(key) || (key === 'type' && typeof one === 'string' && CALL_TYPES.has(one)),
  )
}
