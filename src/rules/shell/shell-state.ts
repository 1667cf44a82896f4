import type { CompoundList, Script } from 'unbash'
import { LazyMap } from './lazy-map.ts'
import { childScope, findVariable, mergeScope, type Scope, setVariable, type Value } from './scope.ts'
import { type ShellBudget, ShellLimit, shellBudget } from './shell-budget.ts'
import type { ShellCommand, ShellEffect, ShellPlace } from './shell-reading.ts'

/** What a command prints, as far as it is known. */
export interface Output {
  readonly text: string
  /** It never ends by itself. */
  readonly endless: boolean
}

/** A function of the command line, whether anything has called it, and where it was defined; nowhere once it is unset. */
export interface ShellFunction {
  walk(state: ShellState, input: Output): Output
  called: boolean
  scope: Scope | undefined
}

/** A command that reads what is written to a path, and whether anything has been. */
export interface Sink {
  run(text: string): void
  fed: boolean
}

/** How the parts of the reader call one another; put together in read-shell.ts. */
export interface ShellParts {
  /** Reads shell text in the same shell. */
  readText(state: ShellState, text: string, input: Output): Output
  /** Reads a parsed script or list in the same shell. */
  runScript(state: ShellState, script: Script | CompoundList, input: Output): Output
  /** Reads the words of one command, wrappers opened. */
  runWords(state: ShellState, words: readonly string[], input: Output): Output
}

/** Everything the reader knows at one place of a command line. */
export interface ShellState {
  readonly place: ShellPlace
  readonly parts: ShellParts
  readonly budget: ShellBudget
  readonly commands: ShellCommand[]
  readonly effects: ShellEffect[]
  readonly functions: LazyMap<string, ShellFunction[]>
  /** Files this command line wrote, by path, with what is in them. */
  readonly files: LazyMap<string, string>
  /** Commands that are fed what is written to a path: `>(…)`. */
  readonly sinks: LazyMap<string, Sink>
  /** Actions that run later: traps. */
  readonly later: string[]
  readonly scope: Scope
  readonly depth: number
  /** What is read here may not happen: assignments only add to what a variable may be. */
  readonly conditional: boolean
  /** The functions being read, and whether a background job or pipe lies between them and this place. */
  readonly calls: readonly string[]
  readonly spawned: boolean
  /** The next command is started by a wrapper: no function or alias stands in its place. */
  readonly isWrapped: boolean
  /** Whether the command line has defined an alias, and the variables it declared as numbers. */
  readonly known: { aliases: boolean; integers: Set<string> | undefined }
  /** Which value each ambiguous variable has in this round, and how many there are. */
  readonly choice: Choice
}

/** One round of an odometer over the variables with more than one possible value. */
export interface Choice {
  /** A round is under way. */
  active: boolean
  readonly picks: LazyMap<string, number>
  readonly sizes: LazyMap<string, number>
}

const ROUNDS = 1_024

/** Nothing is printed. */
export const NO_OUTPUT: Output = { text: '', endless: false }

/** The name under which the working directory is kept among the variables. */
const DIRECTORY = '.'
/** The name that only zsh sets. */
const ZSH = '.zsh'

let start: { readonly home: string; readonly scope: Scope } | undefined

/** The variables every shell starts with, but for its folder; kept for the last home folder and never written to. */
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

/** The state at the start of a command line. */
export function startState(place: ShellPlace, parts: ShellParts): ShellState {
  const scope = childScope(startScope(place.home))
  const here = { alternatives: [[place.cwd]], array: false }
  scope.variables.set('PWD', here).set(DIRECTORY, here)
  return {
    place,
    parts,
    budget: shellBudget(),
    commands: [],
    effects: [],
    functions: new LazyMap(),
    files: new LazyMap(),
    sinks: new LazyMap(),
    later: [],
    scope,
    depth: 0,
    conditional: false,
    calls: [],
    spawned: false,
    isWrapped: false,
    known: { aliases: false, integers: undefined },
    choice: { active: false, picks: new LazyMap(), sizes: new LazyMap() },
  }
}

/** The same shell one level deeper, with its own variables. */
export function subshell(state: ShellState): ShellState {
  return { ...state, scope: childScope(state.scope), depth: state.depth + 1 }
}

/** A shell that is started anew: it sees variables, but functions only where they are exported. */
export function newShell(state: ShellState): ShellState {
  const inner = subshell(state)
  return { ...inner, scope: { ...inner.scope, isNewShell: true } }
}

/** The state of a zsh, where the name of an array stands for all of it and counting begins with one. */
export function asZsh(state: ShellState): ShellState {
  const inner = subshell(state)
  setVariable(inner.scope, ZSH, { value: ['yes'] })
  return inner
}

/** True inside zsh. */
export function isZsh(state: ShellState): boolean {
  return findVariable(state.scope, ZSH) !== undefined
}

/** The state in which a wrapper starts the command it is given. */
export function wrapped(state: ShellState): ShellState {
  return { ...state, depth: state.depth + 1, isWrapped: true }
}

/** What a variable is in this round, or undefined when nothing sets it. */
export function readVariable(state: ShellState, name: string): { value: Value; array: boolean } | undefined {
  const variable = findVariable(state.scope, name)
  if (variable === undefined) return undefined
  const { alternatives, array, group = name } = variable
  if (alternatives.length < 2) return { value: alternatives[0] ?? [], array }
  state.choice.sizes.set(group, Math.max(alternatives.length, state.choice.sizes.get(group) ?? 0))
  return { value: alternatives[state.choice.picks.get(group) ?? 0] ?? alternatives[0] ?? [], array }
}

/** Runs once for every combination of the values that ambiguous variables may have; inside a round, just runs. */
export function inRounds<T>(state: ShellState, run: () => T): T[] {
  const { choice } = state
  if (choice.active) return [run()]
  choice.active = true
  const first = run()
  choice.active = false
  return choice.sizes.size === 0 ? [first] : [first, ...otherRounds(state, run)]
}

/** The rounds after the first, which has met variables with more than one value. */
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

/** Moves the odometer on; false when every combination has been seen. */
function turn({ picks, sizes }: Choice): boolean {
  for (const [name, size] of sizes.entries()) {
    const next = (picks.get(name) ?? 0) + 1
    picks.set(name, next < size ? next : 0)
    if (next < size) return true
  }
  return false
}

/** Reads something that may not happen, in order within itself; afterwards both outcomes are possible. */
export function branch<T>(state: ShellState, run: (inner: ShellState) => T): T {
  const scope = childScope(state.scope)
  const result = run({ ...state, scope, conditional: false })
  mergeScope(state.scope, scope)
  return result
}

/** The state of something that may not happen and is seen at once. */
export function maybe(state: ShellState): ShellState {
  return state.conditional ? state : { ...state, conditional: true }
}

/** Sets a variable; where the assignment may not happen, or rests on a choice, the old values stay possible. */
export function assign(state: ShellState, name: string, value: Value, array = false): void {
  setVariable(state.scope, name, { value, array, adds: state.conditional || state.choice.sizes.size > 0 })
}

/** The working directory in this round. */
export function directory(state: ShellState): string {
  const known = findVariable(state.scope, DIRECTORY)
  if (known?.alternatives.length === 1) return known.alternatives[0]?.[0] ?? state.place.cwd
  return readVariable(state, DIRECTORY)?.value[0] ?? state.place.cwd
}

/** The folders that `pushd` keeps, the working directory first. */
export function directoryStack(state: ShellState): readonly string[] {
  return [directory(state), ...(readVariable(state, '.stack')?.value ?? [])]
}

/** The folder of that stack that `~1` or `~-1` names: counted from the start, or after a minus from the end. */
export function stackedDirectory(state: ShellState, place: string): string | undefined {
  const count = Number(place.replace(/^[+-]/, ''))
  return directoryStack(state).at(place.startsWith('-') ? -1 - count : count)
}

/** Changes the working directory; one outside the workspace stays possible, since `cd` may fail. */
export function changeDirectory(state: ShellState, path: string): undefined {
  const before = directory(state)
  const isOutside = before !== state.place.workspace && !before.startsWith(`${state.place.workspace}/`)
  const adds = state.conditional || state.choice.sizes.size > 0 || isOutside
  setVariable(state.scope, DIRECTORY, { value: [path], adds })
  setVariable(state.scope, 'PWD', { value: [path], adds })
  setVariable(state.scope, 'OLDPWD', { value: [before], adds })
}

/** Keeps what is written to a path, and hands it to the command that reads it. */
export function writeText(state: ShellState, path: string, text: string): void {
  state.files.set(path, text)
  const sink = state.sinks.get(path)
  if (sink === undefined) return
  sink.fed = true
  sink.run(text)
}

/** Records that something of that kind would happen. */
export function act(state: ShellState, name: string, subject: string): undefined {
  state.effects.push({ kind: 'act', act: name, subject })
}
