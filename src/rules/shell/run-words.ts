import { insidePath } from '../../core/text/paths.ts'
import { knownName, knownNames } from './arguments/command-spec.ts'
import { callFunction } from './call-function.ts'
import { readScriptWords } from './code/read-script-words.ts'
import { globExpression, hasMark, isConstant, isGlob, isOpen, MARKS, settled, showText } from './marks.ts'
import { runFile } from './run/run-file.ts'
import { runKnown } from './run/run-known.ts'
import { noteSource } from './run/run-text.ts'
import { holdsIn } from './scope.ts'
import { SHELL_LIMITS, ShellLimit, spend } from './shell-budget.ts'
import { act, NO_OUTPUT, type Output, readVariable, type ShellState } from './shell-state.ts'
import { PROGRAM_FOLDERS, resolveWord, touchPath } from './touch-path.ts'

const UNKNOWN_OUTPUT: Output = { text: MARKS.unknown, endless: false }
/** Folders whose programs can be trusted to be what their names say, unlike scripts elsewhere in the workspace. */
const TOOL_FOLDERS = /(^|\/)(\.?bin|shims)\/[^/]+$/

/** Reads one command from its words. */
export function runWords(state: ShellState, words: readonly string[], input: Output): Output {
  const first = words[0]
  if (first === undefined) return NO_OUTPUT
  spend(state.budget, 'commands')
  if (state.depth > SHELL_LIMITS.depth) throw new ShellLimit('its commands are nested too deeply')
  if (first !== '' && !hasMark(first)) return runNamed(state, words, input)
  const rest = words.slice(1)
  if (isOpen(first)) {
    noteSource(state, first)
    // The folder is unknown, but the name still identifies the program.
    const base = first.slice(first.lastIndexOf('/') + 1)
    const known = base === first || base === '' || !isConstant(base) ? undefined : knownName(base)
    if (known !== undefined) runKnown(state, { name: known, words: rest, input })
    return runUnknown(state, words, input)
  }
  const name = settled(first)
  if (name !== first) act(state, 'unknown', showText(words.join(' ')).slice(0, 200))
  if (name === '') return runWords(state, rest, input)
  if (isGlob(name)) return runGlob(state, [name, ...rest], input)
  return runNamed(state, [name, ...rest], input)
}

function runNamed(given: ShellState, words: readonly string[], input: Output): Output {
  const name = words[0] ?? ''
  const rest = words.slice(1)
  const slash = name.lastIndexOf('/')
  const base = slash < 0 ? name : name.slice(slash + 1)
  const known = knownName(base)
  const state = given.isWrapped || given.isEveryday ? { ...given, isWrapped: false, isEveryday: false } : given
  const defined = given.isWrapped && known !== undefined ? undefined : runDefined(state, words, input)
  if (defined !== undefined && (defined.isCertain || known === undefined)) return defined.output
  record(state, base, words)
  if (slash >= 0 && !PROGRAM_FOLDERS.test(resolveWord(state, name))) {
    const output = runFile(state, { path: name, words: rest, input, language: 'program' })
    const isOwn = insidePath(state.location.workspace, resolveWord(state, name)) !== undefined
    if (known === undefined || (isOwn && !TOOL_FOLDERS.test(name))) {
      scanWords(state, rest, input)
      return output
    }
  }
  if (known === undefined) {
    act(state, 'unknown-command', name)
    return runUnknown(state, words, input)
  }
  return runKnown(state, { name: known, words: rest, input })
}

interface Defined {
  readonly output: Output
  /** True when the program with this name certainly does not run. */
  readonly isCertain: boolean
}

/** Reads a function or an alias with the name of a command. */
function runDefined(state: ShellState, words: readonly string[], input: Output): Defined | undefined {
  const name = words[0] ?? ''
  const bodies = state.functions.get(name)
  if (bodies !== undefined) {
    const output = callFunction(state, { name, bodies, words: words.slice(1), input })
    return { output, isCertain: holdsIn(bodies.at(-1)?.scope, state.scope) }
  }
  const alias = state.known.aliases ? readVariable(state, `alias:${name}`)?.value[0] : undefined
  if (alias === undefined || state.calls.includes(name)) return undefined
  const tail = words.slice(1).map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const text = [alias, ...tail].join(' ')
  // Aliases are off in a shell that is not interactive.
  return { output: state.parts.readText({ ...state, calls: [...state.calls, name] }, text, input), isCertain: false }
}

function record(state: ShellState, name: string, words: readonly string[]): void {
  const text = words.join(' ')
  const isPlain = !hasMark(text)
  const argv = isPlain ? words : words.map(showText)
  const isExact = isPlain || words.every((word) => isConstant(word) && !isGlob(word))
  state.commands.push({ name, argv, text: isPlain ? text : showText(text), isExact })
}

/** Arguments that an unknown program may run as a command; only very harmful ones. */
const HANDED_ON = /^!?(sudo +)?(rm|dd|shred|wipefs|mkfs[\w.]*|sh|bash|zsh|sudo)( |$)/

function runHanded(state: ShellState, words: readonly string[]): undefined {
  const [first = ''] = words
  const inner = { ...state, depth: state.depth + 1 }
  if (first.includes(' ')) state.parts.readText(inner, first.replace(/^!/, ''), NO_OUTPUT)
  else runWords(inner, words, NO_OUTPUT)
}

/** Reads an unknown program: paths in its arguments count as read. */
function runUnknown(state: ShellState, words: readonly string[], input: Output): Output {
  const [name = '', ...rest] = words
  if (isOpen(name)) record(state, showText(name), words)
  const handed = rest.findIndex((word) => HANDED_ON.test(word))
  if (handed >= 0) runHanded(state, rest.slice(handed))
  scanWords(state, rest, input)
  return UNKNOWN_OUTPUT
}

/** Reads the arguments of an unread program: paths that it may read, code that it may run. */
function scanWords(state: ShellState, words: readonly string[], input: Output): undefined {
  for (const word of words) {
    const value = word.replace(/^-[^=]*=/, '')
    if (!value.startsWith('-') && /[/~.]/.test(value) && !/^\w+:\/\//.test(value) && !isOpen(value))
      touchPath(state, 'lists', value)
  }
  readScriptWords(state, { language: 'program', words, input })
}

/** Reads a command name with globs as each known command that it may match, harmful ones first. */
function runGlob(state: ShellState, words: readonly string[], input: Output): Output {
  const [name = '', ...rest] = words
  act(state, 'unknown', showText(words.join(' ')).slice(0, 200))
  const expression = globExpression(name.slice(name.lastIndexOf('/') + 1))
  const names = ['rm', 'dd', 'sh', 'bash', 'cat', 'shred', ...knownNames()].filter((known) => expression.test(known))
  for (const known of [...new Set(names)].slice(0, 24)) runNamed(state, [known, ...rest], input)
  return UNKNOWN_OUTPUT
}
