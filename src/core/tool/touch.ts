import { isRecord } from '../text/json.ts'

/** One thing that a call would touch. Rules, grants, undo, previews and parallel execution use touches. */
export type Touch =
  | { readonly kind: 'reads'; readonly path: string }
  | { readonly kind: 'writes'; readonly path: string }
  | { readonly kind: 'deletes'; readonly path: string; readonly isMove?: boolean }
  | { readonly kind: 'runs'; readonly command: string; readonly cwd?: string; readonly isFree?: boolean }
  | { readonly kind: 'connects'; readonly host: string }

/** A touch that names a path or host. It can be judged directly, while a command line must be parsed first. */
export type NamedTouch = Exclude<Touch, { readonly kind: 'runs' }>

/** The call reads this path. */
export const reads = (path: string): NamedTouch => ({ kind: 'reads', path })

/** The call changes or creates this path. */
export const writes = (path: string): NamedTouch => ({ kind: 'writes', path })

/** The call deletes this path, or moves it away: with `isMove` its content stays in the workspace under a path that the call writes. */
export const deletes = (path: string, { isMove }: { readonly isMove?: boolean } = {}): NamedTouch =>
  isMove ? { kind: 'deletes', path, isMove } : { kind: 'deletes', path }

/** How a command runs. */
export interface RunOptions {
  /** The folder it starts in, relative to the workspace. */
  readonly cwd?: string
  /** True for a tool whose purpose is to run any code. The default rules may deny it, but do not ask. */
  readonly isFree?: boolean
}

/** The call runs this command line. */
export const runs = (command: string, options: RunOptions = {}): Touch => ({ kind: 'runs', command, ...options })

/** The call connects to this host. */
export const connects = (host: string): NamedTouch => ({ kind: 'connects', host })

/** The kinds of touch that name a path. */
const PATH_KINDS: readonly unknown[] = ['reads', 'writes', 'deletes'] satisfies Touch['kind'][]

/** A touch in words for people: "writes notes.txt". */
export function describeTouch(touch: Touch): string {
  if (touch.kind === 'runs') return `runs ${touch.command}`
  if (touch.kind === 'connects') return `connects to ${touch.host}`
  return `${touch.kind} ${touch.path}`
}

/** True for what the functions above return. An invalid touch must not be treated as no touch. */
export function isTouch(value: unknown): value is Touch {
  if (!isRecord(value)) return false
  if (value.kind === 'runs') return typeof value.command === 'string'
  if (value.kind === 'connects') return typeof value.host === 'string'
  return PATH_KINDS.includes(value.kind) && typeof value.path === 'string'
}
