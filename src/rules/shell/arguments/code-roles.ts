import { readAwk } from '../code/read-awk.ts'
import { readBang } from '../code/read-bang.ts'
import { noteFedCode, readCode } from '../code/read-code.ts'
import { readMakeCode } from '../code/read-make-code.ts'
import { readScriptWords } from '../code/read-script-words.ts'
import { readSed } from '../code/read-sed.ts'
import { readExpansions } from '../expand/read-expansions.ts'
import { isConstant, isOpen, MARKS, settled } from '../marks.ts'
import { readEnvironment } from '../run/read-environment.ts'
import { runFile } from '../run/run-file.ts'
import { noteSource, runText } from '../run/run-text.ts'
import { setVariable } from '../scope.ts'
import { act, guessing, NO_OUTPUT, newShell, type Output, type ShellState, subshell, wrapped } from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { knownName } from './command-spec.ts'
import { readLoosePaths } from './read-loose-paths.ts'
import type { RoleReader } from './role.ts'

const UNKNOWN_INPUT: Output = { text: MARKS.unknown, endless: false }
/** Editors and debuggers whose scripts are commands, line by line. */
const LINE_TOOLS = /^(vim?|nvim|view|ex|vimdiff|gvim|rvim|dc|gdb|lldb|[lst]?ftp)$/
/** Tasks of build tools that leave the machine. */
const PUBLISHES = /^(deploy|publish|release|uploadArchives|exec:exec)/

/** Roles of words that are run: commands, shell text, code of other languages, scripts. */
export const CODE_ROLES: Readonly<Record<string, RoleReader>> = {
  argv: (state, { rest, input, modes }) => {
    if (modes.has('dry')) return { text: `/usr/bin/${rest.at(-1) ?? ''}\n`, endless: false }
    if (modes.has('shell')) return runText(newShell(state), rest.join(' '), input)
    return runInner(state, rest, input)
  },
  'local-argv': (state, { rest, input }) =>
    rest[0] !== undefined && /[./]/.test(rest[0])
      ? runFile(state, { path: rest[0], words: [], input, language: 'node' })
      : runInner(state, rest, input),
  environment: (state, { rest, input, modes }) => {
    if (modes.has('write')) for (const word of rest) touchPath(state, 'writes', word)
    if (modes.has('shell')) runText(newShell(state), rest.join(' '), input)
    return modes.has('write') ? NO_OUTPUT : runEnvironment(state, rest, input)
  },
  shell: (state, { word, input }) => runText(newShell(state), word, input),
  shellrest: (state, { rest, input }) => {
    if (rest.length > 1) runInner(subshell(state), rest, input)
    return runText(newShell(state), rest.join(' '), input)
  },
  /** A command whose input is unknown. */
  filter: (state, { word }) => runText(newShell(state), word, UNKNOWN_INPUT),
  'remote-shell': (state, { rest, input }) => {
    runText(newShell(state), rest.join(' '), input)
    return { text: MARKS.network, endless: false }
  },
  program: (state, { word, input }) =>
    runText(newShell(state), `${word} ${MARKS.unknown}`, input.text === '' ? UNKNOWN_INPUT : input),
  script: (state, { word, input, name }) => {
    const written = state.files.get(resolveWord(state, word))
    const text = word === '-' || word === '/dev/stdin' ? input.text : /make$/.test(name) ? written : undefined
    if (text !== undefined) {
      noteSource(state, text)
      if (/make$/.test(name)) readMakeCode(state, text)
      else readCode(state, name, text)
      act(state, 'unknown-command', `${name} given its script`)
      return
    }
    if (written !== undefined) readToolScript(state, name, written)
    runFile(state, { path: word, words: [], input, language: name })
  },
  code: (state, { word, name, input }) => {
    noteSource(state, word)
    noteFedCode(state, word, input)
    if (name === 'ipython' && word.startsWith('!')) readBang(state, word)
    readCode(state, name, word)
    return { text: MARKS.hidden, endless: false }
  },
  'code-file': (state, { rest, input, name }) => {
    const [path = '', ...words] = rest
    if (path === '-' || path === '/dev/stdin') return readInput(state, name, input)
    // The compiled program of Haft under any path.
    if (/^node/.test(name) && /^(approvals|trust)$/.test(words[0] ?? '')) act(state, 'haft', rest.join(' '))
    for (const word of words) if (/^[~/]/.test(word) && !isOpen(word)) touchPath(state, 'lists', word)
    // A word that is not a path may be the value of an unknown option: code may still follow.
    if (!/[./]/.test(path)) readLoosePaths(state, words)
    const at = /[./]/.test(path) ? -1 : words.findIndex((word) => /^(-\w*[ecr]|--eval|--print|--run)$/.test(word))
    if (at >= 0) readCode(state, name, words[at + 1] ?? '')
    noteServices(state, name, rest)
    readScriptWords(state, { language: name, words, input })
    return runFile(state, { path, words, input, language: name })
  },
  /** The words of a framework's own command, which may contain code. */
  framework: (state, { rest, input, name }) => {
    for (const word of rest) {
      if (/^[~/]/.test(word) && !isOpen(word)) touchPath(state, 'reads', word)
      if (PUBLISHES.test(word)) act(state, 'publish', `${name} ${word}`)
    }
    noteServices(state, name, rest)
    return readScriptWords(state, { language: name, words: rest, input })
  },
  module: (state, { word, name }) => {
    if (name === 'ruby' && word === 'un') act(state, 'publish', 'ruby -run')
    if (/^(\/|~|\.\.)/.test(word)) runFile(state, { path: word, words: [], input: NO_OUTPUT, language: name })
  },
  /** Folders and archives that code is loaded from. */
  'code-folders': (state, { word }) => {
    for (const folder of word.split(':')) if (isConstant(folder)) touchPath(state, 'executes', folder)
  },
  'perl-module': (state, { word, name }) => {
    const folder = /^lib=(.*)$/s.exec(word)?.[1]
    if (folder !== undefined) touchPath(state, 'executes', folder)
    if (!/^(strict|warnings|JSON|Data::Dumper|List::Util|POSIX|utf8|feature|5|v5)/.test(word))
      readCode(state, name, word)
  },
  'perl-code': (state, { word }) => readCode(state, 'perl', word),
  'perl-debugger': (state, { word }) => {
    if (word.startsWith(':')) act(state, 'injects-own', `perl -d${word}`)
  },
  sed: (state, { word }) => readSed(state, word),
  awk: (state, { word, input }) => {
    noteFedCode(state, word, input)
    return readAwk(state, word)
  },
  /** A variable of an awk program, which may read the file that it names. */
  'awk-value': (state, { word }) => {
    const value = word.slice(word.indexOf('=') + 1)
    if (/^[~/]\w/.test(value)) touchPath(guessing(state), 'reads', value)
  },
  jq: (state, { word }) => {
    if (/\$ENV\b|(^|[^.\w"])env\b/.test(word)) act(state, 'environment', word)
    for (const [, path = ''] of word.matchAll(/\bload\w*\(\s*["']([^"']+)/g)) touchPath(state, 'reads', path)
    // `--rawfile name file` puts a path where the filter is expected.
    if (/^[~/]/.test(word)) touchPath(state, 'reads', word)
  },
  'make-code': (state, { word }) => {
    readMakeCode(state, word)
    return act(state, 'unknown-command', word)
  },
  'make-target': (state, { word, modes }) => {
    const [, name = '', value = ''] = /^(\w+)[:?+]?=(.*)$/s.exec(word) ?? []
    if (/^(SHELL|MAKE|CC|CXX|LD|AR|RM|INSTALL|PYTHON|NODE)$/.test(name)) runText(state, value, NO_OUTPUT)
    else if (name !== '') readEnvironment(state, name, value)
    if (!modes.has('dry') && /^(un)?install|^(deploy|publish|release|upload)/.test(word))
      act(state, 'install', `make ${word}`)
    if (name !== '' && /\$\(shell|`/.test(value)) act(state, 'unknown-command', word)
  },
  'build-target': (state, { word }) => {
    if (PUBLISHES.test(word)) act(state, 'publish', word)
  },
  debug: (state, { word, name }) => act(state, 'debug', `${name} -p ${word}`),
  expands: (state, { word }) => readExpansions(state, word),
}

/** Runs the words that a wrapper passes on. When they do not begin with a known command, an option may have been misread, so later words are read as commands too. */
export function runInner(state: ShellState, words: readonly string[], input: Output): Output {
  const [first = ''] = words
  if (first === '-c' && words[1] !== undefined) return runText(newShell(state), words[1], input)
  const inner = wrapped(state)
  const output = state.parts.runWords(inner, words, input)
  const isKnown = state.functions.has(first) || knownName(first.slice(first.lastIndexOf('/') + 1)) !== undefined
  const later = isKnown
    ? -1
    : words.findIndex(
        (word, at) =>
          at > 0 && at < 8 && /^[\w/.]+$/.test(word) && knownName(word.slice(word.lastIndexOf('/') + 1)) !== undefined,
      )
  if (later > 0) state.parts.runWords(inner, words.slice(later), input)
  const text = isKnown ? undefined : words[words.indexOf('-c') + 1]
  if (text !== undefined && words.includes('-c')) runText(newShell(state), text, input)
  return output
}

/** Runs words that may begin with assignments, as `env` and `sudo` take them. */
export function runEnvironment(state: ShellState, words: readonly string[], input: Output): Output {
  const start = words.findIndex((word) => !/^[A-Za-z_][^=\s]*=/.test(word))
  const inner = subshell(state)
  for (const assignment of start < 0 ? words : words.slice(0, start)) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(assignment) ?? []
    setVariable(inner.scope, name, { value: [value] })
    readEnvironment(inner, name, value)
  }
  return start < 0 ? NO_OUTPUT : runInner(inner, words.slice(start), input)
}

/** Tasks of frameworks that empty a database. */
const DROPS_DATA =
  /^(flush|reset_db|sqlflush|(db|schema):(drop|reset|purge|wipe)(:\w+)?|migrate:(fresh|reset)|ecto\.(drop|reset)|dropdb|drop_all|--force-reset)$/
/** An address that other machines can connect to. */
const EVERY_ADDRESS = /(^|=)(0\.0\.0\.0|\[::\])(:\d+)?$/

/** Records what the words of a framework or script do for other machines and with data. */
function noteServices(state: ShellState, name: string, words: readonly string[]): undefined {
  for (const [index, word] of words.entries()) {
    if (EVERY_ADDRESS.test(word)) act(state, 'listen', `${name} on ${word}`)
    const isReset = word === 'reset' && words[index - 1] === 'migrate'
    if (index < 4 && (isReset || DROPS_DATA.test(word))) act(state, 'lose-work', `${name} ${word}`)
    if (/(^|\/)setup\.py$/.test(word) && /^(install|develop|upload|easy_install)$/.test(words[index + 1] ?? ''))
      act(state, 'install', words.slice(index, index + 2).join(' '))
    const folder = /^--pythonpath=(.*)$/s.exec(word)?.[1]
    if (folder !== undefined) touchPath(state, 'executes', folder)
  }
}

/** Reads a script in the tool's own language. */
function readToolScript(state: ShellState, name: string, text: string): undefined {
  if (LINE_TOOLS.test(name)) for (const line of text.split('\n')) readBang(state, line)
  else if (name === 'ninja')
    for (const [, command = ''] of text.matchAll(/^\s*command\s*=\s*(.*)$/gm))
      runText(newShell(state), command, NO_OUTPUT)
  else if (/sed$/.test(name)) readSed(state, text)
  else if (/awk$/.test(name)) readAwk(state, text)
}

/** Reads code that an interpreter gets from a pipe or heredoc. */
export function readInput(state: ShellState, name: string, input: Output): Output {
  noteSource(state, input.text)
  readCode(state, name, settled(input.text))
  return { text: MARKS.unknown, endless: false }
}
