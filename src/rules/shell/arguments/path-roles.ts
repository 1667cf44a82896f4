import { insidePath } from '../../../core/text/paths.ts'
import { isConstant, isGlob, isOpen, MARKS } from '../marks.ts'
import { runWritten } from '../run/run-file.ts'
import { runText } from '../run/run-text.ts'
import { act, changeDirectory, NO_OUTPUT, newShell, type Output, type ShellState, writeText } from '../shell-state.ts'
import { BLANK_FILE, PROGRAM_FOLDERS, resolveWord, touchListed, touchPath } from '../touch-path.ts'
import type { RoleArgument, RoleReader } from './role.ts'

/** Commands that write what they fetch. */
const FETCHERS = /^(curl|wget|aria2c|axel|https?|xh|httpie)$/

/** Roles of words that name files and folders. */
export const PATH_ROLES: Readonly<Record<string, RoleReader>> = {
  text: () => undefined,
  /** A word that may be a path. If it looks like one, it counts as read, and as changed when a flag says so. */
  argument: (state, { word, modes }) => {
    const value = word.replace(/^[\w-]+=/, '')
    if (/^[~/.]/.test(value) && isConstant(value)) {
      touchPath(state, 'reads', value)
      if (modes.has('write')) touchPath(state, 'writes', value)
    }
    if (/^\|./.test(word)) {
      act(state, 'unknown-command', word)
      runText(newShell(state), word.slice(1), NO_OUTPUT)
    }
  },
  /** A file, folder or plugin whose code is run, if the word looks like a path. */
  project: (state, { word, name }) => {
    const value = word.replace(/^[\w-]+=/, '').replace(/::.*$/, '')
    runWritten(state, value, name)
    if (/^[~/.]/.test(value) && isConstant(value)) touchPath(state, 'executes', value)
  },
  /** A file that is compiled: code that this command line wrote into it runs later. */
  source: (state, { word, name }) => {
    runWritten(state, word, name)
    return touchPath(state, 'reads', word)
  },
  read: (state, { word, modes }) => {
    if (modes.has('write') && !modes.has('dry')) touchPath(state, 'writes', word)
    touchPath(state, 'reads', word, modes.has('tree'))
  },
  listed: (state, { word, input }) => touchListed(state, word, input.text),
  search: (state, { word, modes }) => touchPath(state, modes.has('files') ? 'lists' : 'reads', word, true),
  list: (state, { word }) => touchPath(state, 'lists', word),
  write,
  edit: (state, { word, modes }) => {
    if (!modes.has('dry')) touchPath(state, 'writes', word)
    touchPath(state, 'reads', word)
  },
  'edit-mode': () => undefined,
  tree: (state, { word, modes }) => {
    if (!modes.has('dry')) touchPath(state, 'writes', word, true)
  },
  change: (state, { word, modes }) => touchPath(state, 'writes', word, modes.has('tree')),
  delete: (state, { word, modes }) => {
    if (word === '' && modes.has('tree')) act(state, 'unknown', 'deletes what a parameter names')
    if (!modes.has('dry')) touchPath(state, 'deletes', word, modes.has('tree'))
  },
  /** A file that is truncated loses its content. */
  cut: (state, { word }) => {
    touchPath(state, 'writes', word)
    touchPath(state, 'deletes', word)
  },
  wipe: (state, { word }) => touchPath(state, 'deletes', word, true),
  move: (state, { word }) => {
    touchPath(state, 'reads', word)
    touchPath(state, 'deletes', word)
  },
  link: (state, { word }) => touchPath(state, 'links', word),
  into,
  dir: (state, { word }) => changeDirectory(state, resolveWord(state, word)),
  size: (state, { word }) => {
    if (/^[+<>/%-]?(\d{11,}|\d+ ?[GTPEZY])/i.test(word)) act(state, 'flood', `${word} bytes`)
  },
  mode: (state, { word }) => {
    if (/^[0-7]?[2467][0-7]{3}$/.test(word) || /[ugoa]*[+=][rwxX]*s/.test(word)) act(state, 'privilege-bit', word)
  },
  mount: (state, { word, operands }) => {
    if (operands[0] === word) act(state, 'disk', `mount ${operands.join(' ')}`)
  },
  'mount-volume': (state, { word }) => {
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(word)?.[1] ?? word.split(':')[0] ?? ''
    if (!/^[/.~]/.test(source)) return
    touchPath(state, 'writes', source, true)
    touchPath(state, 'reads', source, true)
  },
}

function write(state: ShellState, { word, modes, name, input }: RoleArgument): undefined {
  if (modes.has('dry') || word === '-') return
  touchPath(state, 'writes', word)
  const path = resolveWord(state, word)
  if (FETCHERS.test(name)) writeText(state, path, MARKS.network)
  if (name === 'tee' || name === 'sponge') writeText(state, path, input.text)
  if (name === 'tee' && isGlob(word) && !modes.has('append')) touchPath(state, 'deletes', word)
  if (input.endless && name === 'tee') act(state, 'flood', `${path} without end`)
}

/** Returns the content of a copied file: a copy of a program runs that program, a copy from outside the workspace is unknown. */
function copiedText(state: ShellState, source: string, input: Output): string | undefined {
  if (source === '/dev/stdin') return input.text
  const path = resolveWord(state, source)
  const known = state.files.get(path)
  if (known !== undefined) return known
  if (PROGRAM_FOLDERS.test(path)) return `${path} "$@"`
  return insidePath(state.location.workspace, path) === undefined ? MARKS.unknown : undefined
}

/** Records the writes of a copy, whose target is a file or a folder that receives files of the same names. */
function into(state: ShellState, { word, operands, modes, input }: RoleArgument): undefined {
  const isLast = operands.at(-1) === word
  const sources = isLast ? operands.slice(0, -1) : operands
  const tree = modes.has('tree') && sources.some((source) => /[/.]$/.test(source) || isOpen(source))
  // New entries in the temporary folder do not count as a change of that folder.
  if (tree || !/^\/(var\/)?tmp\/*$/.test(word)) touchPath(state, 'writes', word, tree)
  if (sources.some((source) => /^\/dev\/(zero|u?random|full)$/.test(source)) && !word.startsWith('/dev/'))
    act(state, 'flood', `${word} without end`)
  if (sources.some((source) => BLANK_FILE.test(source))) touchPath(state, 'deletes', word)
  for (const source of sources) {
    const name = source.replace(/\/+$/, '').split('/').at(-1) ?? ''
    if (name !== '' && name !== '.' && name !== '..') touchPath(state, 'writes', `${word.replace(/\/+$/, '')}/${name}`)
    const text = copiedText(state, source, input)
    if (text === undefined) continue
    for (const target of [word, `${word}/${name}`]) state.files.set(resolveWord(state, target), text)
  }
}
