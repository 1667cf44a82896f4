import { resolvePath } from '../../core/text/paths.ts'
import { MARKS, settled } from './marks.ts'
import type { PathUse } from './shell-reading.ts'
import { directory, note, type ShellState } from './shell-state.ts'

/** The folders of system programs. */
export const PROGRAM_FOLDERS =
  /^(\/usr(\/local)?)?\/(s?bin|games)\/[^/]+$|^\/(usr\/)?lib(32|64|exec)?\/|^\/opt\/homebrew\/|^\/snap\/bin\//

/** Files without useful content: copying one over a file erases it. */
export const BLANK_FILE = /^\/dev\/(null|zero|u?random|full)$/

const DESCRIPTOR = /^\/dev\/(fd\/|std(in|out|err)$)/
const EMPTY_SEGMENT = /^[\uE007\uE008]+$/
const UNKNOWN_START = /^[\uE000\uE005\uE006]/

/** Words that need no normalization: no marks, dots or double slashes. */
const PLAIN = /^\/?(?!proc\/)(?:(?!\.{1,2}(?:\/|$))[^/\uE000-\uE00F]+\/)*(?!\.{1,2}$)[^/\uE000-\uE00F]+$/

function plainDirectory(state: ShellState): string {
  const base = directory(state)
  return base === '/' ? '' : base
}

/** Returns the absolute path that a word names, marks included; it starts with a mark when even its root is unknown. */
export function resolveWord(state: ShellState, word: string): string {
  if (word.startsWith('/dev/fd/..')) return resolveWord(state, `/proc/self/fd${word.slice(7)}`)
  if (PLAIN.test(word)) return word.startsWith('/') ? word : `${plainDirectory(state)}/${word}`
  if (word === '.' && !UNKNOWN_START.test(directory(state))) return directory(state)
  const known = word
    .split('/')
    .map((segment) => (EMPTY_SEGMENT.test(segment) ? MARKS.unknown : settled(segment)))
    .join('/')
  if (UNKNOWN_START.test(known)) return known
  const base = directory(state)
  if (!known.startsWith('/') && UNKNOWN_START.test(base)) return `${base}/${known}`
  const path = resolvePath(base, known)
  return path.startsWith('/proc/') ? throughProc(state, path) : path
}

/** Resolves `/proc/self/root` and `/proc/self/cwd`. */
function throughProc(state: ShellState, path: string): string {
  const match = /^\/proc\/(?:self|thread-self|\d+|\uE001)\/(root|cwd)(\/.*)?$/.exec(path)
  if (!match) return path
  return resolvePath(match[1] === 'root' ? '/' : directory(state), `.${match[2] ?? ''}`)
}

/** Records the use of a path, except for standard input and the command's own descriptors. */
export function touchPath(state: ShellState, use: PathUse, word: string, tree = false): undefined {
  if (word === '' || word === '-') return
  const path = resolveWord(state, word)
  if (path.startsWith('/dev/') ? DESCRIPTOR.test(path) : path.startsWith('/proc/self/fd/')) return
  note(state, state.isEveryday ? { kind: use, path, tree, isEveryday: true } : { kind: use, path, tree })
  const origin = use === 'writes' || use === 'deletes' ? state.origins.get(path) : undefined
  if (origin !== undefined && !state.isEveryday) note(state, { kind: use, path: origin, tree })
}

/** Returns the state for changes that lose no work. */
export function everyday(state: ShellState): ShellState {
  return state.isEveryday ? state : { ...state, isEveryday: true }
}

/** Records that a list of paths is read, and each path in it; the paths are unknown unless this command line wrote the list. */
export function touchListed(state: ShellState, list: string, fed: string): undefined {
  touchPath(state, 'reads', list)
  const isFed = list === '-' || list === '/dev/stdin'
  const text = isFed ? fed : (state.files.get(resolveWord(state, list)) ?? MARKS.unknown)
  for (const path of text.split(/[\n\0]/)) touchPath(state, 'reads', path, true)
}
