import { insidePath } from '../../../core/text/paths.ts'
import { applyArgument } from '../arguments/apply-argument.ts'
import { type CommandSpec, findSpec } from '../arguments/command-spec.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { readLoosePaths } from '../arguments/read-loose-paths.ts'
import { readProjectFiles } from '../code/read-project-files.ts'
import { isOpen, MARKS, settled } from '../marks.ts'
import { act, directory, NO_OUTPUT, newShell, type Output, type ShellState, subshell } from '../shell-state.ts'
import { everyday, resolveWord, touchListed, touchPath } from '../touch-path.ts'
import { BUILTINS } from './builtins.ts'
import { predictOutput } from './predict-output.ts'
import { noteSource, runText } from './run-text.ts'
import { SPECIAL_COMMANDS } from './special-commands.ts'

interface KnownCommand {
  readonly name: string
  /** The command and its sub-commands as typed, for messages. */
  readonly typed?: string
  readonly words: readonly string[]
  readonly input: Output
}

const HARMLESS = /^(--help|--version|-V|--usage)$/

const SPECIAL = new Map(Object.entries({ ...SPECIAL_COMMANDS, ...BUILTINS }))

/** Reads a command that is in the tables. */
export function runKnown(state: ShellState, command: KnownCommand): Output {
  const { name, words, input } = command
  if (words.length === 1 && HARMLESS.test(words[0] ?? '')) return predictOutput(state, { name, words, input })
  const special = SPECIAL.get(name)
  const output = special ? special(state, words, input) : runBySpec(state, command)
  return output ?? predictOutput(state, { name, words, input })
}

function runBySpec(state: ShellState, { name, typed = name, words: given, input }: KnownCommand): Output | undefined {
  const spec = findSpec(name)
  if (spec === undefined) return NO_OUTPUT
  const words = spec.response ? openResponses(state, given) : given
  if (spec.loads && !name.includes('/')) readLoosePaths(state, words)
  if (spec.subcommands) return runSubcommand(state, { name, typed, spec, words, input })
  const read = readArguments(spec, words)
  if (read.unknown.length > 0) readLoosePaths(state, read.unknown)
  if (read.modes.has('listed') && input.text !== '') touchListed(state, '-', input.text)
  const isDry = read.modes.has('dry')
  if (!isDry) for (const one of read.acts) act(state, one, [typed, ...words.slice(0, 8)].join(' '))
  let output: Output | undefined
  const { modes, operands } = read
  let inner = spec.everyday || modes.has('keep') ? everyday(state) : state
  const start = inner
  for (const { role, word, rest } of read.arguments) {
    if (role === 'text') continue
    // The other folder applies to this command only.
    if (role === 'dir' && inner === start) inner = subshell(start)
    output = applyArgument(inner, { role, word, rest, name, input, modes, operands }) ?? output
  }
  if (spec.project && !isDry) runProject(inner, name)
  if (!isDry && input.text !== '') readFed(state, { name, spec, found: read.arguments, input, modes })
  return output ?? predictOutput(state, { name, words, input })
}

/** Replaces a response file by its words; a file that this command line did not write counts as code. */
function openResponses(state: ShellState, words: readonly string[]): readonly string[] {
  if (!words.some((word) => word.startsWith('@'))) return words
  return words.flatMap((word) => {
    const path = /^@(.+)$/s.exec(word)?.[1]
    if (path === undefined) return [word]
    touchPath(state, 'executes', path)
    return state.files.get(resolveWord(state, path))?.split(/\s+/).filter(Boolean) ?? []
  })
}

/** Records that a build tool or test runner runs the code of its folder. */
function runProject(state: ShellState, name: string): undefined {
  if (state.files.size > 0) readProjectFiles(state, name)
  if (insidePath(state.location.workspace, directory(state)) === undefined) touchPath(state, 'executes', '.')
}

interface Fed {
  readonly name: string
  readonly spec: CommandSpec
  readonly found: readonly { role: string }[]
  readonly input: Output
  readonly modes: ReadonlySet<string>
}

/** Reads the standard input of a command that takes commands from it. */
function readFed(state: ShellState, { name, spec, found, input, modes }: Fed): undefined {
  if (isFedShell(name, spec, found)) runText(newShell(state), input.text, NO_OUTPUT)
  if (spec.fed === undefined || found.some(({ role }) => /^(code|code-file|patch-file)$/.test(role))) return
  // Database statements in a file of the workspace are the project's own code.
  if ((spec.fed !== 'sqlite' && spec.fed !== 'patch') || input.text.includes(MARKS.network))
    noteSource(state, input.text)
  applyArgument(state, { role: spec.fed, word: settled(input.text), rest: [], name, input, modes, operands: [] })
}

/** Reads a wrapper without a command, which starts a shell that runs its standard input. */
function isFedShell(name: string, spec: CommandSpec, found: readonly { role: string }[]): boolean {
  if (name === 'su' || name === 'newgrp' || name === 'runuser') return !found.some(({ role }) => role === 'shell')
  const role = spec.operands.find((operand) => /^(argv|environment|remote-shell)$/.test(operand))
  return role !== undefined && !found.some((argument) => argument.role === role || argument.role === 'shell')
}

interface Subcommand extends KnownCommand {
  readonly typed: string
  readonly spec: CommandSpec
}

/** Applies the options before the subcommand, then reads the subcommand by its own spec. */
function runSubcommand(state: ShellState, { name, typed, spec, words, input }: Subcommand): Output | undefined {
  const at = subcommandAt(spec, words)
  if (at === 0 && words.length === 2 && HARMLESS.test(words[1] ?? '') && /^[\w-]+$/.test(words[0] ?? ''))
    return undefined
  const before = readArguments(spec, words.slice(0, at))
  let inner = state
  for (const argument of before.arguments) {
    if (argument.role === 'dir' && inner === state) inner = subshell(state)
    applyArgument(inner, { ...argument, name, input, modes: before.modes, operands: [] })
  }
  const sub = settled(words[at] ?? '')
  if (isOpen(sub)) act(state, 'unknown', `${name} ${words.join(' ')}`)
  const option = at >= words.length ? words.find((word) => findSpec(`${name}/${word}`) !== undefined) : undefined
  const chosen = sub === '' ? option : sub
  const keys = [`${name}/${chosen ?? ''}`, `${name}/*`]
  const key = keys.find((one) => findSpec(one) !== undefined)
  if (key === undefined || (sub === '' && key.endsWith('/*') && option === undefined)) return undefined
  const named = chosen === undefined ? typed : `${typed} ${chosen}`
  return runBySpec(inner, { name: key, typed: named, words: words.slice(at + 1), input })
}

function subcommandAt(spec: CommandSpec, words: readonly string[]): number {
  for (let at = 0; at < words.length; at++) {
    const word = settled(words[at] ?? '')
    if (!word.startsWith('-')) return at
    const option = spec.options.get(word)
    if (option?.role !== undefined && option.attached !== true && !word.includes('=')) at++
  }
  return words.length
}
