import type { CompoundList, Script } from 'unbash'
import { LazyMap } from './lazy-map.ts'
import { childScope, findVariable, mergeScope, type Scope, setVariable, type Value } from './scope.ts'
import { type ShellBudget, ShellLimit, shellBudget } from './shell-budget.ts'
import type { ShellCommand, ShellEffect, ShellLocation } from './shell-reading.ts'

/** The output of a command, as far as it is known. */
export interface Output {
  readonly text: string
  /** True when it never ends by itself. */
  readonly endless: boolean
  /** The file that it is read from. */
  readonly path?: string
}

/** A function of the command line, whether it was called, and the scope of its definition; undefined once it is unset. */
export interface ShellFunction {
  walk(state: ShellState, input: Output): Output
  called: boolean
  scope: Scope | undefined
}

/** A command that reads what is written to a path, and whether anything was written. */
export interface Sink {
  run(text: string): void
  fed: boolean
}

/** The functions through which the parts of the reader call each other; assembled in read-shell.ts. */
export interface ShellParts {
  /** Reads shell text in the same shell. */
  readText(state: ShellState, text: string, input: Output): Output
  /** Reads a parsed script or list in the same shell. */
  runScript(state: ShellState, script: Script | CompoundList, input: Output): Output
  /** Reads the words of one command, wrappers resolved. */
  runWords(state: ShellState, words: readonly string[], input: Output): Output
}

/** The state of the reader at one point of a command line. */
export interface ShellState {
  readonly location: ShellLocation
  readonly parts: ShellParts
  readonly budget: ShellBudget
  readonly commands: ShellCommand[]
  readonly effects: ShellEffect[]
  readonly functions: LazyMap<string, ShellFunction[]>
  /** Paths under which this command line moved or linked another path, and that path: changing the one changes the other. */
  readonly origins: LazyMap<string, string>
  /** The content of files that this command line wrote, by path. */
  readonly files: LazyMap<string, string>
  /** Commands that read what is written to a path: `>(…)`. */
  readonly sinks: LazyMap<string, Sink>
  /** Actions that run later: traps. */
  readonly later: string[]
  readonly scope: Scope
  readonly depth: number
  /** True when this code may not run: assignments then only add possible values. */
  readonly conditional: boolean
  /** The functions being read, and whether a background job or pipe is between them and this point. */
  readonly calls: readonly string[]
  readonly spawned: boolean
  /** True for the options and operands of a command whose changes are everyday. */
  readonly isEveryday: boolean
  /** True while text is read of which it is not certain that it runs. */
  readonly isGuess: boolean
  /** True when a wrapper starts the next command, so that functions and aliases do not apply. */
  readonly isWrapped: boolean
  /** Whether the command line defined an alias, and the variables that it declared as integers. */
  readonly known: { aliases: boolean; integers: Set<string> | undefined }
  /** The value of each ambiguous variable in this round, and the number of its values. */
  readonly choice: Choice
}

/** One round of the iteration over all combinations of ambiguous variables. */
export interface Choice {
  /** True during a round. */
  active: boolean
  readonly picks: LazyMap<string, number>
  readonly sizes: LazyMap<string, number>
}

const ROUNDS = 1_024

/** Empty output. */
export const NO_OUTPUT: Output = { text: '', endless: false }

/** The name of the variable that holds the working directory. */
const DIRECTORY = '.'
/** The name of a variable that is set only in zsh. */
const ZSH = '.zsh'

let start: { readonly home: string; readonly scope: Scope } | undefined

/** The variables that every shell starts with, except the working directory; cached for the last home folder and never changed. */
function startScope(home: string): Scope {
  if (start?.home === home) return start.scope
  const scope = childScope(undefined)
  const user = home.slice(home.lastIndexOf('/') + 1)
  const known: Readonly<Record<string, string>> = {
    HOME: home,
    USER: user,
    LOGNAME: user,
    IFS: ' \t\n',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    BASH: '/bin/bash',
    SHELL: '/bin/bash',
    '0': 'bash',
  }
  for (const [name, text] of Object.entries(known)) setVariable(scope, name, { value: [text] })
  setVariable(scope, '@', { value: [], array: true })
  start = { home, scope }
  return scope
}

/** Creates the state at the start of a command line. */
export function startState(location: ShellLocation, parts: ShellParts): ShellState {
  const scope = childScope(startScope(location.home))
  const here = { alternatives: [[location.cwd]], array: false }
  scope.variables.set('PWD', here).set(DIRECTORY, here)
  return {
    location,
    parts,
    budget: shellBudget(),
    commands: [],
    effects: [],
    functions: new LazyMap(),
    origins: new LazyMap(),
    files: new LazyMap(),
    sinks: new LazyMap(),
    later: [],
    scope,
    depth: 0,
    conditional: false,
    calls: [],
    spawned: false,
    isEveryday: false,
    isGuess: false,
    isWrapped: false,
    known: { aliases: false, integers: undefined },
    choice: { active: false, picks: new LazyMap(), sizes: new LazyMap() },
  }
}

/** Creates the state of a subshell. */
export function subshell(state: ShellState): ShellState {
  return { ...state, scope: childScope(state.scope), depth: state.depth + 1 }
}

/** Creates the state of a newly started shell: it sees variables, but only exported functions. */
export function newShell(state: ShellState): ShellState {
  const inner = subshell(state)
  return { ...inner, scope: { ...inner.scope, isNewShell: true } }
}

/** Creates the state of a zsh, where an array name means all elements and indexes start at one. */
export function asZsh(state: ShellState): ShellState {
  const inner = subshell(state)
  setVariable(inner.scope, ZSH, { value: ['yes'] })
  return inner
}

/** True inside zsh. */
export function isZsh(state: ShellState): boolean {
  return findVariable(state.scope, ZSH) !== undefined
}

/** Creates the state in which a wrapper starts its command. */
export function wrapped(state: ShellState): ShellState {
  return { ...state, depth: state.depth + 1, isWrapped: true }
}

/** Returns the value of a variable in this round, or undefined when it is not set. */
export function readVariable(state: ShellState, name: string): { value: Value; array: boolean } | undefined {
  const variable = findVariable(state.scope, name)
  if (variable === undefined) return undefined
  const { alternatives, array, group = name } = variable
  if (alternatives.length < 2) return { value: alternatives[0] ?? [], array }
  state.choice.sizes.set(group, Math.max(alternatives.length, state.choice.sizes.get(group) ?? 0))
  return { value: alternatives[state.choice.picks.get(group) ?? 0] ?? alternatives[0] ?? [], array }
}

/** Runs once for every combination of values of ambiguous variables; inside a round, runs once. */
export function inRounds<T>(state: ShellState, run: () => T): T[] {
  const { choice } = state
  if (choice.active) return [run()]
  choice.active = true
  const first = run()
  choice.active = false
  return choice.sizes.size === 0 ? [first] : [first, ...otherRounds(state, run)]
}

/** Runs the rounds after the first, when there are ambiguous variables. */
export function otherRounds<T>({ choice }: ShellState, run: () => T): T[] {
  const results: T[] = []
  choice.active = true
  while (turn(choice)) {
    if (results.length >= ROUNDS) throw new ShellLimit('its variables may have too many values')
    results.push(run())
  }
  choice.active = false
  choice.picks.clear()
  choice.sizes.clear()
  return results
}

/** Advances to the next combination; returns false after the last. */
function turn({ picks, sizes }: Choice): boolean {
  for (const [name, size] of sizes.entries()) {
    const next = (picks.get(name) ?? 0) + 1
    picks.set(name, next < size ? next : 0)
    if (next < size) return true
  }
  return false
}

/** Reads code that may not run; afterwards both outcomes are possible. */
export function branch<T>(state: ShellState, run: (inner: ShellState) => T): T {
  const scope = childScope(state.scope)
  const result = run({ ...state, scope, conditional: false })
  mergeScope(state.scope, scope)
  return result
}

/** Returns the state for code that may not run, whose assignments are visible at once. */
export function maybe(state: ShellState): ShellState {
  return state.conditional ? state : { ...state, conditional: true }
}

/** Sets a variable. When the assignment may not happen or depends on a choice, the old values stay possible. */
export function assign(state: ShellState, name: string, value: Value, array = false): void {
  setVariable(state.scope, name, { value, array, adds: state.conditional || state.choice.sizes.size > 0 })
}

/** Returns the working directory in this round. */
export function directory(state: ShellState): string {
  const known = findVariable(state.scope, DIRECTORY)
  if (known?.alternatives.length === 1) return known.alternatives[0]?.[0] ?? state.location.cwd
  return readVariable(state, DIRECTORY)?.value[0] ?? state.location.cwd
}

/** Returns the directory stack of `pushd`, the working directory first. */
export function directoryStack(state: ShellState): readonly string[] {
  return [directory(state), ...(readVariable(state, '.stack')?.value ?? [])]
}

/** Returns the folder of the directory stack that `~1` (from the start) or `~-1` (from the end) names. */
export function stackedDirectory(state: ShellState, position: string): string | undefined {
  const count = Number(position.replace(/^[+-]/, ''))
  return directoryStack(state).at(position.startsWith('-') ? -1 - count : count)
}

/** Changes the working directory; one outside the workspace stays possible, since `cd` may fail. */
export function changeDirectory(state: ShellState, path: string): undefined {
  const before = directory(state)
  const isOutside = before !== state.location.workspace && !before.startsWith(`${state.location.workspace}/`)
  const adds = state.conditional || state.choice.sizes.size > 0 || isOutside
  setVariable(state.scope, DIRECTORY, { value: [path], adds })
  setVariable(state.scope, 'PWD', { value: [path], adds })
  setVariable(state.scope, 'OLDPWD', { value: [before], adds })
}

/** Records what is written to a path, and passes it to the command that reads it. */
export function writeText(state: ShellState, path: string, text: string): void {
  state.files.set(path, text)
  const sink = state.sinks.get(path)
  if (sink === undefined) return
  sink.fed = true
  sink.run(text)
}

/** Records an act. */
export function act(state: ShellState, name: string, subject: string): undefined {
  note(state, { kind: 'act', act: name, subject })
}

/** Records an effect; as a guess where it is not certain that the text it is read from runs. */
export function note(state: ShellState, effect: ShellEffect): undefined {
  state.effects.push(state.isGuess ? { ...effect, isGuess: true } : effect)
}

/** Returns the state for reading text that may not be what it looks like. */
export function guessing(state: ShellState): ShellState {
  return state.isGuess ? state : { ...state, isGuess: true }
}
