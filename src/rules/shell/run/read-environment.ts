import { insidePath } from '../../../core/text/paths.ts'
import { readLooseValue } from '../arguments/read-loose-paths.ts'
import { ENVIRONMENT } from '../commands/environment.ts'
import { readExpansions } from '../expand/read-expansions.ts'
import { settled } from '../marks.ts'
import { act, NO_OUTPUT, type ShellState } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { runChosen, runText } from './run-text.ts'

const STANDARD_FOLDERS =
  /^(\/usr(\/local)?)?\/s?bin$|^\/opt\/|^\/usr\/(lib|local|share)\/|^\/snap\/bin$|^\/home\/linuxbrew\//

/** Options that name a program, a script or a plugin. */
const DANGEROUS_FLAG =
  /exec|eval|linker|plugin|require|agent|wrapper|runner|[!|`;$/]|(^|\s)-(f|I|p|r)([\s=]|$)|--?(\w*file|shell|config)/

/** Flags that make a compiler or linker load or start something. */
const LOADING_FLAG = /-f?plugin|-wrapper|-fuse-ld=[~/.]|-specs=[~/.]|(^|\s)(-B *[~/.]|@)|linker=[~/.]/

/** Variables that programs commonly get paths in, and load nothing from. */
const PLAIN_VARIABLE = /^(TMP|TEMP|TMPDIR|TEMPDIR|PWD|OLDPWD|DIR|FOLDER|FILE|INPUT|DATA\w*|TEST_\w+)$/

/** Reads what other programs would do because of a variable. */
export function readEnvironment(state: ShellState, name: string, value: string, isPassed = false): void {
  const role = ENVIRONMENT.find(([pattern]) => pattern.test(name))?.[1]
  if (value === '') return
  if (role === undefined) {
    if (isPassed && !PLAIN_VARIABLE.test(name)) readLooseValue(state, name, value)
    return
  }
  const setting = `${name}=${value}`
  if (role === 'program') runChosen(state, settled(value).replace(/^\|/, ''), setting)
  else if (role === 'expands') readExpansions(state, value)
  else if (role === 'function') {
    act(state, 'injects', setting)
    runText(state, `exported ${value}; exported`, NO_OUTPUT)
  } else if (role === 'history') readHistorySetting(state, setting)
  else if (role === 'node-options') {
    if (/--(require|import|loader|experimental-loader|inspect|env-file)|(^|\s)-r\b/.test(value))
      act(state, 'injects', setting)
  } else if (role === 'flags') {
    if (DANGEROUS_FLAG.test(value)) act(state, 'injects', setting)
  } else if (role === 'compiler-flags') {
    if (LOADING_FLAG.test(value)) act(state, 'injects', setting)
  } else if (role === 'warnings') {
    // The category of a warning is imported.
    if (/\w\.\w/.test(value)) act(state, 'injects-own', setting)
  } else if (role === 'trace') {
    if (value.startsWith('/')) touchPath(state, 'writes', value)
  } else if (role === 'program-path' || role === 'code-path') readFolders(state, value, role)
  else act(state, role === 'injects' && isOwnPath(state, value) ? 'injects-own' : role, setting)
}

/** True for paths of the workspace, whose own code still needs approval. */
function isOwnPath(state: ShellState, value: string): boolean {
  return value
    .split(':')
    .every(
      (piece) =>
        /^\.{0,2}\//.test(piece) && insidePath(state.location.workspace, resolveWord(state, piece)) !== undefined,
    )
}

function readHistorySetting(state: ShellState, setting: string): void {
  if (/^HISTCONTROL=(ignore(dups|space|both)|erasedups)/.test(setting)) return
  act(state, 'history', setting)
}

/** Reads a search path: folders of the workspace and the system are common, others are not. */
function readFolders(state: ShellState, value: string, role: string): void {
  for (const folder of value.split(':')) {
    if (folder === '' && role === 'code-path') continue
    const path = resolveWord(state, folder)
    const inside = insidePath(state.location.workspace, path)
    const isOwn = inside !== undefined && (inside !== '.' || role === 'code-path')
    const isHomeTool = path.startsWith(`${state.location.home}/`) && /\/(bin|go|node_modules\/\.bin|shims)$/.test(path)
    if (!isOwn && !isHomeTool && !STANDARD_FOLDERS.test(path) && !folder.startsWith('\uE008'))
      act(state, 'injects', `${folder || '.'} on a search path`)
  }
}
