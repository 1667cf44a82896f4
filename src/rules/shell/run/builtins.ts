import { formatText } from '../expand/format-text.ts'
import { readExpansions } from '../expand/read-expansions.ts'
import { isOpen, MARKS, settled } from '../marks.ts'
import { referVariable, setAlternatives, setVariable } from '../scope.ts'
import { ShellLimit } from '../shell-budget.ts'
import {
  act,
  assign,
  changeDirectory,
  directory,
  maybe,
  NO_OUTPUT,
  type Output,
  readVariable,
  type ShellState,
} from '../shell-state.ts'
import { resolveWord, touchPath } from '../touch-path.ts'
import { readEnvironment } from './read-environment.ts'
import { runFile } from './run-file.ts'
import { runText } from './run-text.ts'

type Builtin = (state: ShellState, words: readonly string[], input: Output) => Output | undefined

/** Shell builtins that change variables or the working directory, or run text. */
export const BUILTINS: Readonly<Record<string, Builtin>> = {
  cd: enter,
  chdir: enter,
  pushd: (state, words) => {
    assign(state, '.stack', [directory(state), ...(readVariable(state, '.stack')?.value ?? [])], true)
    return enter(state, words)
  },
  popd: (state) => {
    const [back, ...rest] = readVariable(state, '.stack')?.value ?? []
    changeDirectory(state, back ?? state.location.cwd)
    assign(state, '.stack', rest, true)
    return NO_OUTPUT
  },
  eval: (state, words, input) => {
    const text = words.slice(words[0] === '--' ? 1 : 0).join(' ')
    if (text === '') act(state, 'unknown', 'eval of parameters')
    return runText(state, text, input)
  },
  shift: (state, [count = '1']) => {
    const positional = readVariable(state, '@')?.value ?? []
    setVariable(state.scope, '@', { value: positional.slice(Number(count) || 1), array: true })
    return NO_OUTPUT
  },
  source,
  '.': source,
  trap: (state, words) => {
    const [action = '', ...signals] = words.filter((word) => !/^-[lp]|^--$/.test(word))
    if (signals.length === 0 || action === '-' || action === '') return NO_OUTPUT
    state.later.push(action)
    return runText(maybe(state), action, NO_OUTPUT)
  },
  alias: (state, words) => {
    for (const word of words) {
      const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
      if (name === '') continue
      runText(maybe(state), text, NO_OUTPUT)
      state.known.aliases = true
      assign(state, `alias:${name}`, [text])
    }
    return NO_OUTPUT
  },
  read: readLine,
  mapfile: readLines,
  readarray: readLines,
  printf: print,
  declare: (state, words) => declare(state, words),
  typeset: (state, words) => declare(state, words),
  local: (state, words) => declare(state, words),
  export: (state, words) => declare(state, words, true),
  readonly: (state, words) => declare(state, words),
  set: setOptions,
  unset: (state, words) => {
    for (const name of words.filter((word) => !word.startsWith('-'))) {
      readExpansions(state, name)
      for (const body of state.functions.get(name) ?? []) body.scope = undefined
      if (/^HIST/.test(name)) act(state, 'history', `unset ${name}`)
      else assign(state, name, [name === 'IFS' ? ' \t\n' : ''])
    }
    return NO_OUTPUT
  },
  let: (state, words) => {
    for (const word of words) state.parts.readText(state, `(( ${word} ))`, NO_OUTPUT)
    return NO_OUTPUT
  },
  enable: (state, words, input) => {
    const at = words.indexOf('-f')
    return at < 0 ? NO_OUTPUT : runFile(state, { path: words[at + 1] ?? '', words: [], input, language: 'library' })
  },
  bind: (state, words) => runValues(state, words, ['-x']),
  complete: (state, words) => runValues(state, words, ['-C', '-W', '-F']),
  compgen: (state, words) => runValues(state, words, ['-C', '-W', '-F']),
  hash: (state, words) => {
    const [flag, path = '', name = ''] = words
    if (flag !== '-p' || name === '') return NO_OUTPUT
    state.known.aliases = true
    assign(state, `alias:${name}`, [path])
    return NO_OUTPUT
  },
  wait: (state, words) => {
    for (const word of words) readExpansions(state, word)
    return NO_OUTPUT
  },
  compopt: () => NO_OUTPUT,
  unalias: () => NO_OUTPUT,
}

function enter(state: ShellState, words: readonly string[]): Output {
  const target = words.find((word) => !/^-[LPe@n]+$|^--$/.test(word))
  if (target === '-') changeDirectory(state, readVariable(state, 'OLDPWD')?.value[0] ?? MARKS.unknown)
  else changeDirectory(state, target === undefined ? state.location.home : resolveWord(state, target))
  return NO_OUTPUT
}

function source(state: ShellState, words: readonly string[], input: Output): Output {
  const [path = '', ...rest] = words.filter((word) => word !== '--')
  return runFile(state, { path, words: rest, input, language: 'shell', sourced: true })
}

function runValues(state: ShellState, words: readonly string[], options: readonly string[]): Output {
  words.forEach((word, index) => {
    const value = options.includes(words[index - 1] ?? '') ? word : undefined
    if (value === undefined) return
    readExpansions(state, value)
    if (words[index - 1] !== '-W') runText(maybe(state), value.replace(/^"[^"]*":\s*/, ''), NO_OUTPUT)
  })
  return { text: MARKS.unknown, endless: false }
}

/** Reads `read`: each name gets its field of a line, which may be any line of the input. */
function readLine(state: ShellState, words: readonly string[], input: Output): Output {
  const names: string[] = []
  let array: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-\w*[dinNptu]$/.test(word)) at++
    else if (/^-\w*a$/.test(word)) array = words[++at]
    else if (!word.startsWith('-')) names.push(word)
  }
  for (const name of [...names, array ?? '']) readExpansions(state, name)
  const lines = input.text.split('\n').filter((line, index) => line !== '' || index === 0)
  if (lines.length > 1_000) throw new ShellLimit('it reads too many lines')
  const separators = readVariable(state, 'IFS')?.value[0] ?? ' \t\n'
  const splitter = new RegExp(`[${(separators || '\n').replace(/[\\\]^-]/g, '\\$&')}]+`)
  const rows = lines.map((line) => line.trim().split(splitter))
  if (array !== undefined) assign(state, array, rows[0] ?? [], true)
  const targets = names.length > 0 ? names : ['REPLY']
  const group = `read ${targets.join(' ')}`
  targets.forEach((name, index) => {
    const isLast = index === targets.length - 1
    const values = rows.map((row) => [isLast ? row.slice(index).join(' ') : (row[index] ?? '')])
    setAlternatives(state.scope, name, values, group)
  })
  return NO_OUTPUT
}

function readLines(state: ShellState, words: readonly string[], input: Output): Output {
  const name = words.at(-1)?.startsWith('-') === false ? (words.at(-1) ?? 'MAPFILE') : 'MAPFILE'
  readExpansions(state, name)
  const lines = input.text.split('\n')
  assign(state, name, lines.at(-1) === '' ? lines.slice(0, -1) : lines, true)
  return runValues(state, words, ['-C'])
}

function print(state: ShellState, words: readonly string[]): Output {
  const isNamed = words[0] === '-v'
  const [format = '', ...values] = (isNamed ? words.slice(2) : words).filter(
    (word, index) => index > 0 || word !== '--',
  )
  const text = formatText(format, values)
  if (!isNamed) return { text, endless: false }
  const name = words[1] ?? ''
  readExpansions(state, name)
  assign(state, name, [text])
  return NO_OUTPUT
}

function declare(state: ShellState, words: readonly string[], isExported = false): Output {
  const flags = words.filter((word) => /^[-+][A-Za-z]+$/.test(word)).join('')
  const names = words.filter((word) => !/^[-+]/.test(word))
  if (/p/.test(flags) || (names.length === 0 && !/f/i.test(flags))) act(state, 'environment', 'all variables')
  for (const word of names) {
    readExpansions(state, word.slice(0, Math.max(0, word.indexOf('='))))
    // The elements of an array are expanded, though the word was quoted.
    if (/i/.test(flags) || /\[|=\(/.test(word)) readExpansions(state, word)
    if (/i/.test(flags)) {
      state.known.integers ??= new Set()
      state.known.integers.add(word.replace(/[+=].*$/s, ''))
    }
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word) ?? []
    if (name === '') continue
    if (/n/.test(flags) && !/^export/.test(flags)) referVariable(state.scope, name, settled(value))
    else if (readVariable(state, name) === undefined) assign(state, name, [value])
    readEnvironment(state, name, value, isExported)
  }
  return NO_OUTPUT
}

function setOptions(state: ShellState, words: readonly string[]): Output {
  if (words.length === 0) act(state, 'environment', 'all variables')
  if (/\+o history/.test(words.join(' '))) act(state, 'history', 'set +o history')
  const at = words.findIndex(
    (word, index) => word === '--' || (!/^[-+]/.test(word) && !/^[-+]\w*o$/.test(words[index - 1] ?? '')),
  )
  if (at >= 0)
    setVariable(state.scope, '@', {
      value: words.slice(words[at] === '--' ? at + 1 : at),
      array: true,
      adds: state.conditional,
    })
  const trace = readVariable(state, 'PS4')?.value[0]
  if (trace !== undefined && !isOpen(trace)) readExpansions(state, trace)
  return NO_OUTPUT
}

/** Records a path that a condition only tests. */
export function testPaths(state: ShellState, words: readonly string[]): Output {
  const isNumeric = words.some((word) => /^-(v|R|eq|ne|lt|le|gt|ge)$/.test(word))
  for (const word of words) {
    if (isNumeric) readExpansions(state, word)
  }
  words.forEach((word, index) => {
    if (/^-[edfrswxLhpSbcgukOGN]$/.test(words[index - 1] ?? '') && word !== ']') touchPath(state, 'lists', word)
  })
  return NO_OUTPUT
}
