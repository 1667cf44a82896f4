import type { Assignment, Command } from 'unbash'
import { addFields, expandText, expandTilde, expandWord } from './expand/expand-word.ts'
import { readArithmetic } from './expand/read-expansions.ts'
import { readEnvironment } from './run/read-environment.ts'
import { setLastWord, setVariable } from './scope.ts'
import { act, assign, type Output, readVariable, type ShellState } from './shell-state.ts'
import { withRedirects } from './with-redirects.ts'

/** Variables that are integers in every shell. */
const INTEGERS = new Set([
  'OPTIND',
  'HISTCMD',
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'LINENO',
  'EPOCHSECONDS',
  'BASHPID',
  'PPID',
  'UID',
  'EUID',
])

/** Reads one simple command: assignments, words and redirections, then its effects. */
export function runSimple(state: ShellState, command: Command, input: Output): Output {
  const { name, prefix, args, redirects } = command
  for (const part of prefix) if (part.type === 'Assignment') setFrom(state, part, name !== undefined)
  const words: string[] = []
  if (name !== undefined) addFields(state, name, words)
  for (const argument of args) {
    if (argument.type === 'Word') addFields(state, argument, words)
    else words.push(setFrom(state, argument, false))
  }
  if (name !== undefined && !words[0]) act(state, 'unknown', `a command named by ${name.text.slice(0, 100)}`)
  const last = words.at(-1)
  const output =
    redirects.length === 0
      ? state.parts.runWords(state, words, input)
      : withRedirects(state, { redirects, input }, (stdin) => state.parts.runWords(state, words, stdin))
  if (last !== undefined) setLastWord(state.scope, last)
  return output
}

/** Performs an assignment; before a command the old value stays possible. Returns `name=value`. */
function setFrom(state: ShellState, assignment: Assignment, passing: boolean): string {
  const { name, value, append, index } = assignment
  if (index !== undefined) readArithmetic(state, expandText(state, index))
  const given =
    value.type === 'ArrayValue'
      ? value.elements.flatMap((word) => expandWord(state, word)).map((field) => elementText(state, field))
      : [valueText(state, value)]
  // A variable declared as an integer evaluates its value as arithmetic.
  if (state.known.integers?.has(name) === true || INTEGERS.has(name))
    for (const text of given) readArithmetic(state, text)
  // Bash keeps the paths of programs, and its aliases, in arrays.
  if (index !== undefined && /^BASH_(CMDS|ALIASES)$/.test(name)) {
    state.known.aliases = true
    assign(state, `alias:${expandText(state, index)}`, given)
  }
  const before = append === true || index !== undefined ? (readVariable(state, name)?.value ?? []) : []
  const isArray = value.type === 'ArrayValue' || index !== undefined
  const next = isArray ? [...before, ...given] : [(before[0] ?? '') + (given[0] ?? '')]
  if (passing) setVariable(state.scope, name, { value: next, array: isArray, adds: true })
  else assign(state, name, next, isArray)
  readEnvironment(state, name, next.join(' '), passing)
  return `${name}=${next.join(' ')}`
}

/** Returns the text of an array element without its `[key]=`. */
function elementText(state: ShellState, field: string): string {
  const [, key = '', text] = /^\[([^\]]*)\]=(.*)$/s.exec(field) ?? []
  readArithmetic(state, key)
  return text === undefined ? field : expandTilde(state, text)
}

/** Expands tildes, which in an assignment also count after a colon. */
function valueText(state: ShellState, word: Parameters<typeof expandText>[1]): string {
  const text = expandText(state, word)
  if (!word.text.includes(':~')) return text
  return text
    .split(':')
    .map((piece) => expandTilde(state, piece))
    .join(':')
}
