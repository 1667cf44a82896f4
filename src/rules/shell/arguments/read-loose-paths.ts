import { insidePath } from '../../../core/text/paths.ts'
import { isOpen } from '../marks.ts'
import type { ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'

/** An absolute path in a word: at its start, or after a character that separates a value. */
const PATH = /(?:^|[=:,@\s"']|^-[A-Za-z])((?:~(?=\/)|\/(?!\/))[^\s,:;"']*)/g
/** Folders that only the administrator changes. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|opt|nix|snap|etc|proc|sys|dev|System|Library|Applications)(\/|$)/
/** Names of options and variables that say where output goes, and names that say where code or settings come from. */
const OUTPUT =
  /out|log|cache|dest|report|tmp|temp|dump|trace|prof|snapshot|diagnostic|history|target|build|work|coverage|dir$|prefix$/i
const LOADED =
  /config|working|plugin|lib|load|rc$|init|script|shell|home|hook|require|import|compiler|launcher|toolchain|flags/i

/** True for a path that other users or programs may have written: outside the workspace and the system. */
export function isForeignPath(state: ShellState, word: string): boolean {
  const path = resolveWord(state, word)
  return path.startsWith('/') && !SYSTEM.test(path) && insidePath(state.location.workspace, path) === undefined
}

/** Reads the paths in words of which a command's spec says nothing: one outside the workspace may be loaded as code or settings, or written where the name says so. */
export function readLoosePaths(state: ShellState, words: readonly string[]): undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--') return
    if (!word.includes('/') || isOpen(word)) continue
    const before = words[index - 1] ?? ''
    const name = /^([^=:]+)[=:]/.exec(word)?.[1] ?? (before.startsWith('-') ? before : '')
    readLooseValue(state, name, word)
  }
}

/** Reads the paths in the value of an option or variable of this name. */
export function readLooseValue(state: ShellState, name: string, value: string): undefined {
  for (const [, path = ''] of value.matchAll(PATH)) {
    const plain = path.startsWith('~') ? state.location.home + path.slice(1) : path
    if (!isForeignPath(state, plain) || isNoted(state, plain)) continue
    touchPath(state, OUTPUT.test(name) && !LOADED.test(name) ? 'writes' : 'executes', plain)
  }
}

/** True when a path is recorded with an effect that is judged at least as strictly. */
function isNoted(state: ShellState, word: string): boolean {
  const path = resolveWord(state, word)
  return state.effects.some(
    (effect) => 'path' in effect && effect.path === path && effect.kind !== 'reads' && effect.kind !== 'lists',
  )
}
