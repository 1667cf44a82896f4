import { insidePath } from '../../../core/text/paths.ts'
import { isConstant, isGlob, isOpen, MARKS } from '../marks.ts'
import { runWritten } from '../run/run-file.ts'
import { runText } from '../run/run-text.ts'
import {
  act,
  changeDirectory,
  NO_OUTPUT,
  newShell,
  note,
  type Output,
  type ShellState,
  writeText,
} from '../shell-state.ts'
import { BLANK_FILE, everyday, PROGRAM_FOLDERS, resolveWord, touchListed, touchPath } from '../touch-path.ts'
import { isForeignPath } from './read-loose-paths.ts'
import type { RoleArgument, RoleReader } from './role.ts'

/** Commands that write what they fetch. */
const FETCHERS = /^(curl|wget|aria2c|axel|https?|xh|httpie)$/

/** Roles of words that name files and folders. */
export const PATH_ROLES: Readonly<Record<string, RoleReader>> = {
  text: () => undefined,
  /** A word that may be a path. If it looks like one, it counts as read, and as changed when a flag says so. */
  argument: (state, { word, modes }) => {
    const value = word.replace(/^[\w-]+=/, '')
    // ImageMagick reads a file in the language that a prefix names.
    const prefixed = /^\w+:(?=[~/])(?!\/\/)(.*)$/s.exec(value)?.[1]
    if (prefixed !== undefined) touchPath(state, isForeignPath(state, prefixed) ? 'executes' : 'reads', prefixed)
    if (/^@[~/]/.test(value)) touchPath(state, 'reads', value.slice(1))
    const [, host, port = ''] =
      /^(?:https?|ftp|rtmps?|rtsp|srt|tcp|udp):\/\/(?:[^/@]*@)?([^/:?#]+)(?::(\d+))?/.exec(word) ?? []
    if (host !== undefined) note(state, { kind: 'connects', host, port })
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
  read: (state, { word, modes, name }) => {
    // Perl and Ruby run an operand with a pipe as a command.
    if (/^(perl|ruby)$/.test(name) && /^\s*\||\|\s*$/.test(word)) {
      act(state, 'unknown-command', word)
      runText(newShell(state), word.replace(/^\s*\||\|\s*$/g, ''), NO_OUTPUT)
      return
    }
    if (modes.has('write') && !modes.has('dry')) touchPath(state, 'writes', word)
    if (modes.has('moved')) touchPath(state, 'deletes', word, modes.has('tree'))
    touchPath(state, 'reads', word, modes.has('tree'))
  },
  /** A file with variables for a program: those of the workspace stay usable, and their values are masked in what it prints. */
  'env-file': (state, { word }) => touchPath(state, isForeignPath(state, word) ? 'executes' : 'lists', word),
  /** A setting as `name=value`; a path in it may be written to. */
  setting: (state, { word }) => {
    const value = word.slice(word.indexOf('=') + 1)
    if (/^[~/]/.test(value)) touchPath(state, 'writes', value)
  },
  listed: (state, { word, input }) => touchListed(state, word, input.text),
  search: (state, { word, modes }) => touchPath(state, modes.has('files') ? 'lists' : 'reads', word, true),
  list: (state, { word, name, modes }) => {
    touchPath(state, 'lists', word)
    if (name === 'tree' || modes.has('tree')) touchPath(state, 'lists', `${word.replace(/\/$/, '')}/${MARKS.deep}`)
  },
  write,
  /** A folder that is created. */
  folder: (state, { word }) => {
    if (word !== '')
      note(state, { kind: 'writes', path: resolveWord(state, word), tree: false, isEveryday: true, isFolder: true })
  },
  edit: (state, { word, modes }) => {
    if (!modes.has('dry')) touchPath(state, 'writes', word)
    touchPath(state, 'reads', word)
  },
  /** The suffix of a copy that is kept; with a slash it is a path. */
  'edit-mode': (state, { word }) => (word.includes('/') ? touchPath(state, 'writes', word) : undefined),
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
    if (isGlob(word)) act(state, 'lose-work', `truncates ${word}`)
    touchPath(state, 'writes', word)
    touchPath(state, 'deletes', word)
  },
  wipe: (state, { word }) => touchPath(state, 'deletes', word, true),
  /** A source that is moved; it stays in the workspace when the target does. */
  move: (state, { word, operands }) => {
    touchPath(state, 'reads', word)
    const target = operands.at(-1) ?? ''
    const stays = target !== word && insidePath(state.location.workspace, resolveWord(state, target)) !== undefined
    touchPath(stays ? everyday(state) : state, 'deletes', word)
  },
  /** The target of a link; a symbolic one is resolved from the folder of the link. */
  link: (state, { word, operands, modes }) => {
    const link = operands.at(-1) ?? ''
    const folder = link === word || /(^|\/)\.{0,2}$/.test(link) ? link : `${link}/..`
    const isRelative = modes.has('symbolic') && !/^[~/]/.test(word) && link !== word && !isOpen(word)
    return touchPath(state, 'links', isRelative ? `${folder}/${word}` : word)
  },
  into,
  /** A folder with code that is built or tested there. */
  'project-dir': (state, { word }) => {
    if (isForeignPath(state, word)) touchPath(state, 'executes', word)
  },
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
  if (/^[|!]./.test(word)) {
    act(state, 'unknown-command', word)
    runText(newShell(state), word.slice(1), NO_OUTPUT)
    return
  }
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
function into(given: ShellState, { name: command, word, operands, modes, input }: RoleArgument): undefined {
  // A link is not put in place of a file unless it is forced.
  const state = command === 'ln' && !modes.has('force') ? everyday(given) : given
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
    if (name !== '' && name !== '.' && name !== '..')
      touchPath(state, 'writes', `${word.replace(/\/+$/, '')}/${name}`, modes.has('tree'))
    if (/^(mv|git\/mv|ln)$/.test(command)) keepOrigin(state, source, [word, `${word}/${name}`])
    const text = copiedText(state, source, input)
    if (text === undefined) continue
    for (const target of [word, `${word}/${name}`]) state.files.set(resolveWord(state, target), text)
  }
}

/** Remembers that a path was moved or linked: whoever changes the new path changes what lay at the old one. */
function keepOrigin(state: ShellState, source: string, targets: readonly string[]): void {
  const path = resolveWord(state, source)
  const origin = state.origins.get(path) ?? path
  for (const target of targets) state.origins.set(resolveWord(state, target), origin)
}
