import { insidePath } from '../../../core/text/paths.ts'
import { isOpen } from '../marks.ts'
import { act, note, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'

/** An absolute path in a word: at its start, or after a character that separates a value. */
const PATH = /(?:^|[=:,@\s"']|^-[A-Za-z])((?:~(?=\/)|\/(?!\/))[^\s,:;"']*)/g
/** Folders that only the administrator changes. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|opt|nix|snap|etc|proc|sys|dev|System|Library|Applications)(\/|$)/
/** Names of options and variables that say where output goes, and names that say where code or settings come from. */
const OUTPUT =
  /out|log|cache|dest|report|te?mp(?!late)|dump|trace|prof|snapshot|diagnostic|history|coverage|dir$|prefix$/i
const LOADED =
  /config|working|plugin|lib|load|rc$|init|script|shell|home|hook|require|import|compiler|compile_cache|launcher|toolchain|flags|profile-|reporter|profiler|exec|exe_|prog|module|agent|command|runner|wrapper|linker|driver|renderer|chdir|test-dir|work-?dir|profiles/i
/** Options that name a server to send to or to fetch from. */
const SERVER = /^--?(api|registry|proxy|endpoint|remote[\w-]*|upload[\w-]*|mirror|index-url)$/
/** Options whose values look like paths but are names, patterns or addresses. */
const NO_PATH = /^--?(subj|addext|base\w*|public-path|route|grep|filter|test-?name-?pattern)$/i
/** A server in a word: its host and port. */
const ADDRESS = /^(?:--?[\w-]+=)?https?:\/\/(?:[^/@]*@)?([^/:?#]+)(?::(\d+))?/
/** All addresses of the machine, so that other machines can connect. */
const EVERY_ADDRESS = /^(?:--?[\w-]+=)?(0\.0\.0\.0|\[?::\]?)(:\d+)?$/

/** True for a path that other users or programs may have written: outside the workspace and the system. */
export function isForeignPath(state: ShellState, word: string): boolean {
  const path = resolveWord(state, word)
  return path.startsWith('/') && !SYSTEM.test(path) && insidePath(state.location.workspace, path) === undefined
}

/** Reads the paths and addresses in words of which a command's spec says nothing: a path outside the workspace may be loaded as code or settings, or written where the name says so. */
export function readLoosePaths(state: ShellState, words: readonly string[]): undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--') return
    if (EVERY_ADDRESS.test(word)) act(state, 'listen', words.slice(0, 8).join(' '))
    if (!word.includes('/') || isOpen(word)) continue
    const before = words[index - 1] ?? ''
    const name = /^([^=:]+)[=:]/.exec(word)?.[1] ?? (before.startsWith('-') ? before : '')
    readServer(state, word.startsWith('-') ? name : before, word)
    if (!NO_PATH.test(word.startsWith('-') ? name : before)) readLooseValue(state, name, word)
  }
}

/** Records a server that an option names. */
function readServer(state: ShellState, option: string, word: string): undefined {
  const [, host, port = ''] = (SERVER.test(option) && ADDRESS.exec(word)) || []
  if (host !== undefined) note(state, { kind: 'connects', host, port })
}

/** Reads the paths in the value of an option or variable of this name. */
export function readLooseValue(state: ShellState, name: string, value: string): undefined {
  for (const [, path = ''] of value.matchAll(PATH)) {
    const plain = path.startsWith('~') ? state.location.home + path.slice(1) : path
    if (isNoted(state, plain)) continue
    if (isForeignPath(state, plain))
      touchPath(state, OUTPUT.test(name) && !LOADED.test(name) ? 'writes' : 'executes', plain)
    else if (SYSTEM.test(resolveWord(state, plain))) touchPath(state, 'reads', plain)
  }
}

/** True when a path is recorded with an effect that is judged at least as strictly. */
function isNoted(state: ShellState, word: string): boolean {
  const path = resolveWord(state, word)
  return state.effects.some(
    (effect) => 'path' in effect && effect.path === path && effect.kind !== 'reads' && effect.kind !== 'lists',
  )
}
