import { type ModelCall, ModelError } from '../../core/ports/model.ts'
import { createObjectScan, type ObjectScan } from './object-scan.ts'

/** A piece of a call, as a server streams it. Servers leave out, repeat or reuse `index`, `id` and `name`. */
export interface CallPiece {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly arguments?: unknown
  /** Opaque members that go back with the call. */
  readonly extras?: Readonly<Record<string, unknown>>
}

/** A call that is being put together. */
interface OpenCall {
  readonly index: number | undefined
  id: string | undefined
  name: string
  arguments: unknown
  extras: Record<string, unknown>
  /** Follows arguments that come as text. */
  readonly scan: ObjectScan
}

/** The most calls of one reply. */
const MAX_CALLS = 1_000

/** The calls of one reply, put together from pieces. */
export interface CallCollector {
  /** Throws ModelError where there are too many calls. */
  add(piece: CallPiece): void
  /** How many characters of arguments there are. */
  readonly size: number
  finish(note: (repair: string) => void): CollectedCalls
}

/** The calls of a reply, and what must go back with each. */
export interface CollectedCalls {
  readonly calls: readonly ModelCall[]
  /** By position; undefined where a call had nothing opaque. */
  readonly extras: readonly (Readonly<Record<string, unknown>> | undefined)[]
}

/** Puts calls together from pieces: by index where servers keep to it, else by id, by name and by whether the call before is complete. */
export function createCallCollector(): CallCollector {
  const open: OpenCall[] = []
  const repairs = new Set<string>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(piece) {
      size += sizeOf(piece.arguments) + sizeOf(piece.extras)
      const target = findTarget(open, piece, (repair) => repairs.add(repair))
      if (target) extend(target, piece)
      else if (open.length < MAX_CALLS) open.push(startCall(piece))
      else throw new ModelError(`The reply has more than ${MAX_CALLS} calls. Haft stopped reading it.`)
    },
    finish(note) {
      for (const repair of repairs) note(repair)
      const named = open.filter(({ name }) => name !== '')
      if (named.length < open.length) note('A call without a name was left out.')
      return { calls: readCalls(named, note), extras: named.map(extrasOf) }
    },
  }
}

/** The call that a piece continues; undefined where it begins another one. */
function findTarget(open: readonly OpenCall[], piece: CallPiece, note: (repair: string) => void): OpenCall | undefined {
  const target = candidateFor(open, piece)
  const { index, id, name } = piece
  // A piece without a name never begins a call.
  if (target === undefined || name === undefined) return target
  const isOther = id !== undefined && target.id !== undefined && id !== target.id
  const repeatsName = name === target.name && (piece.arguments === undefined || piece.arguments === '')
  if (!isOther && (repeatsName || !isComplete(target))) return target
  if (index !== undefined) note('Several calls shared one index; they were separated.')
  return undefined
}

/** The call that a piece could continue by its index, else by its id; a piece with neither can only continue the last one, and only without a name. */
function candidateFor(open: readonly OpenCall[], { index, id, name }: CallPiece): OpenCall | undefined {
  if (index !== undefined) return open.findLast((call) => call.index === index)
  const last = name === undefined ? open.at(-1) : undefined
  return id === undefined ? last : (open.findLast((call) => call.id === id) ?? last)
}

/** True where nothing can follow: an object, or the text of one that is closed. */
function isComplete({ arguments: given, scan }: OpenCall): boolean {
  return typeof given === 'string' ? scan.isClosed() : given !== undefined
}

function startCall({ arguments: given = '', ...piece }: CallPiece): OpenCall {
  const { index, id, name = '', extras = {} } = piece
  const scan = createObjectScan()
  if (typeof given === 'string') scan.push(given)
  return { index, id, name, arguments: given, extras: { ...extras }, scan }
}

function extend(call: OpenCall, { id, name, arguments: given, extras }: CallPiece): void {
  call.id ??= id
  if (call.name === '' && name !== undefined) call.name = name
  Object.assign(call.extras, extras)
  if (given === undefined) return
  if (typeof call.arguments !== 'string' || typeof given !== 'string') call.arguments = given
  // Some servers send the full arguments once more at the end.
  else if (!isComplete(call) || call.arguments !== given) {
    call.arguments += given
    call.scan.push(given)
  }
}

function readCalls(open: readonly OpenCall[], note: (repair: string) => void): readonly ModelCall[] {
  const ids = new Set<string>()
  return open.map(({ id, name, arguments: given }) => {
    const isRepeated = id !== undefined && ids.has(id)
    if (isRepeated) note('Two calls had the same id; the second id was dropped.')
    if (id !== undefined) ids.add(id)
    return { ...(id !== undefined && !isRepeated && { id }), name, arguments: given }
  })
}

function extrasOf({ extras }: OpenCall): Readonly<Record<string, unknown>> | undefined {
  return Object.keys(extras).length === 0 ? undefined : extras
}

/** The characters of a value as JSON; none for undefined. */
export function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
}
