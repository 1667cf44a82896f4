import type { CallItem } from '../../../src/core/session/session-view.ts'

/** The states that a block of a call can show. */
export type CallState =
  | 'waiting'
  | 'asking'
  | 'queued'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'blocked'
  | 'cancelled'
  | 'timed out'
  | 'interrupted'

const BY_CODE: Readonly<Record<string, CallState>> = {
  DENIED: 'denied',
  BLOCKED: 'blocked',
  CANCELLED: 'cancelled',
  TIMEOUT: 'timed out',
  INTERRUPTED: 'interrupted',
}

/** Returns what the block of a call shows as its state. */
export function stateOf(item: CallItem): CallState {
  if (item.result) return item.result.ok ? 'done' : (BY_CODE[item.result.code] ?? 'failed')
  if (item.requests.some((request) => request.kind === 'input' && !('answer' in request))) return 'asking'
  if (item.state === 'waiting') return 'waiting'
  return item.state === 'running' ? 'running' : 'queued'
}

/** True for calls whose block opens by itself: what failed, was refused or changed by a person, and what runs now. */
export function opensItself(item: CallItem, state: CallState): boolean {
  if (state === 'done') return isEdited(item) || item.repairs.length > 0 || diffOf(item) !== undefined || hasPorts(item)
  if (item.isTask && state === 'running') return hasPorts(item)
  return state !== 'queued'
}

function hasPorts({ ports, state }: CallItem): boolean {
  return ports !== undefined && ports.length > 0 && state !== 'ended'
}

/** True if a person changed the arguments before approving. */
export function isEdited({ approvals }: CallItem): boolean {
  return approvals.some(({ answer }) => answer?.isEdited)
}

/** Returns the diff that a call made or would make, if it has one. */
export function diffOf({ approvals, result }: CallItem): string | undefined {
  const data = result?.ok ? result.data : undefined
  if (typeof data === 'object' && data !== null && 'diff' in data && typeof data.diff === 'string') return data.diff
  const preview = approvals.findLast((one) => one.preview?.kind === 'diff')?.preview
  return result?.ok ? preview?.text : undefined
}

/** The arguments of a call as a value: models may send them as JSON text. */
export function readArguments({ arguments: given }: Pick<CallItem, 'arguments'>): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** The main argument of a call, in one line: the first of the members that name what it works on, else all of them. */
export function mainArgument(call: Pick<CallItem, 'arguments'>): string {
  const given = readArguments(call)
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null) return ''
  for (const [name, value] of Object.entries(given)) if (MAIN.includes(name) && typeof value === 'string') return value
  const [only, ...others] = Object.values(given)
  if (Array.isArray(only) && others.length === 0) return `${only.length} ${only.length === 1 ? 'item' : 'items'}`
  const text = JSON.stringify(given)
  return text === '{}' ? '' : text
}

/** The main argument of arguments that are JSON text, such as those of a task; the text itself where it was cut. */
export function mainArgumentOf(json: string): string {
  return mainArgument({ arguments: json })
}

const MAIN: readonly string[] = [
  'command',
  'path',
  'from',
  'pattern',
  'query',
  'url',
  'code',
  'task',
  'question',
  'summary',
  'id',
  'name',
]

/** The name of a tool as people see it: without a leading `mcp_`. */
export function shownName(name: string): string {
  return name.startsWith('mcp_') ? name.slice(4) : name
}

/** A duration for people: `12 ms`, `8.1 s`, `2 m 10 s`. */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`
}

/** One fact about a result, for its header: its exit code, or how many things it found. */
export function factOf({ result }: CallItem): { readonly text: string; readonly isBad: boolean } | undefined {
  const data = result?.ok ? result.data : result?.details
  if (typeof data !== 'object' || data === null) return undefined
  const members: Readonly<Record<string, unknown>> = { ...data }
  const { exitCode, totalLines } = members
  if (typeof exitCode === 'number') return { text: `exit ${exitCode}`, isBad: exitCode !== 0 }
  if (typeof totalLines === 'number') return { text: counted(totalLines, 'line', 'lines'), isBad: false }
  for (const [name, one, many] of COUNTED) {
    const list = members[name]
    if (Array.isArray(list)) return { text: counted(list.length, one, many), isBad: false }
  }
  return undefined
}

const COUNTED = [
  ['matches', 'match', 'matches'],
  ['entries', 'entry', 'entries'],
  ['files', 'file', 'files'],
  ['results', 'result', 'results'],
] as const

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
