import { settled } from '../marks.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

/** A word of a command with its role. `rest` holds the following words when the role takes all of them. */
export interface Argument {
  readonly role: string
  readonly word: string
  readonly rest: readonly string[]
}

/** The words of a command sorted by its spec. */
export interface ReadArguments {
  readonly arguments: readonly Argument[]
  readonly modes: ReadonlySet<string>
  readonly acts: readonly string[]
  readonly operands: readonly string[]
  /** Long options that the spec does not know. */
  readonly unknown: readonly string[]
}

/** Roles that take all following words. */
const TAKES_REST = new Set([
  'argv',
  'shellrest',
  'environment',
  'remote-shell',
  'code-file',
  'local-argv',
  'npx-argv',
  'framework',
])

const NO_WORDS: readonly string[] = []

const NO_MODES: ReadonlySet<string> = new Set()

interface Sorting {
  readonly spec: CommandSpec
  readonly words: readonly string[]
  readonly found: Argument[]
  modes: ReadonlySet<string>
  acts: readonly string[]
  readonly operands: string[]
  replaced: boolean
  unknown: readonly string[]
}

/** Sorts the arguments of a command into options with values and operands with roles. */
export function readArguments(spec: CommandSpec, words: readonly string[]): ReadArguments {
  const sorting: Sorting = {
    spec,
    words,
    found: [],
    modes: NO_MODES,
    acts: spec.acts,
    operands: [],
    replaced: false,
    unknown: NO_WORDS,
  }
  let optionsEnded = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const option = optionsEnded || !mayBeOption(word) ? '' : settled(word)
    if (!optionsEnded && word === '--') {
      optionsEnded = true
      const end = spec.options.get('--')
      if (end !== undefined) note(sorting, end)
    } else if (word.length > 1 && option.startsWith('-')) at += readOption(sorting, option, at)
    else if (takesRest(sorting)) {
      const role = spec.operands[sorting.operands.length + (sorting.replaced ? 1 : 0)] ?? 'text'
      sorting.found.push({ role, word, rest: words.slice(at) })
      return finish(sorting)
    } else sorting.operands.push(word)
  }
  return finish(sorting)
}

/** Ignores marks of variables that are most likely empty before a dash. */
function mayBeOption(word: string): boolean {
  const first = word.charCodeAt(0)
  return first === 45 || first >= 0xe000
}

function takesRest({ spec, operands, replaced }: Sorting): boolean {
  return TAKES_REST.has(spec.operands[operands.length + (replaced ? 1 : 0)] ?? '')
}

/** Reads one option; returns how many further words it consumed. */
function readOption(sorting: Sorting, word: string, at: number): number {
  const { spec } = sorting
  if (word.startsWith('--') || spec.long || (word.length > 2 && spec.options.has(nameOf(word))))
    return readLong(sorting, word, at)
  for (let letter = 1; letter < word.length; letter++) {
    const option = spec.options.get(`-${word.charAt(letter)}`)
    if (option === undefined) continue
    note(sorting, option)
    if (option.role === undefined) continue
    if (option.role === 'digits') {
      while (/\d/.test(word.charAt(letter + 1))) letter++
      continue
    }
    const attached = word.slice(letter + 1)
    if (attached !== '' || option.attached === true) {
      if (attached !== '') give(sorting, option, attached)
      return 0
    }
    give(sorting, option, sorting.words[at + 1] ?? '')
    return 1
  }
  return 0
}

function nameOf(word: string): string {
  const equals = word.indexOf('=')
  return equals < 0 ? word : word.slice(0, equals)
}

function readLong(sorting: Sorting, given: string, at: number): number {
  // Java joins some options to their values with a colon.
  const colon = sorting.spec.long ? given.indexOf(':') : -1
  const isColon = colon > 0 && sorting.spec.options.has(given.slice(0, colon))
  const word = isColon ? `${given.slice(0, colon)}=${given.slice(colon + 1)}` : given
  const equals = word.indexOf('=')
  const name = nameOf(word)
  const option = findLong(sorting.spec, name)
  if (option === undefined) {
    sorting.unknown = [...sorting.unknown, word]
    return 0
  }
  note(sorting, option)
  if (option.role === undefined) return 0
  if (equals >= 0) give(sorting, option, word.slice(equals + 1))
  else if (option.attached !== true) {
    give(sorting, option, sorting.words[at + 1] ?? '')
    return 1
  }
  return 0
}

/** Finds a long option by its name, with one or two dashes, or by an abbreviation. */
function findLong(spec: CommandSpec, name: string): OptionSpec | undefined {
  const exact = spec.options.get(name) ?? (spec.long ? spec.options.get(name.replace(/^--?/, '-')) : undefined)
  if (exact !== undefined || spec.long || name.length < 4) return exact
  for (const [full, option] of spec.options) if (full.startsWith(name)) return option
  return undefined
}

function note(sorting: Sorting, option: OptionSpec): void {
  if (option.mode !== undefined) sorting.modes = new Set([...sorting.modes, option.mode])
  if (option.act !== undefined) sorting.acts = [...sorting.acts, option.act]
  const implied = option.role === 'edit-mode' ? 'write' : option.role === 'unpack-into' ? 'placed' : undefined
  if (implied !== undefined) sorting.modes = new Set([...sorting.modes, implied])
}

function give(sorting: Sorting, option: OptionSpec, word: string): void {
  sorting.found.push({ role: option.role ?? 'text', word, rest: NO_WORDS })
  if (option.replacesOperand === true) sorting.replaced = true
}

/** Assigns roles to operands: fixed roles from both ends, the starred role to those in between. */
function finish(sorting: Sorting): ReadArguments {
  const { spec, operands, found, modes, acts, replaced } = sorting
  const roles = replaced ? spec.operands.slice(1) : spec.operands
  const star = replaced ? Math.max(spec.star - 1, -1) : spec.star
  const after = star < 0 ? 0 : roles.length - star - 1
  for (let index = 0; index < operands.length; index++) {
    const word = operands[index] ?? ''
    const fromEnd = operands.length - index
    const isTail = star >= 0 && fromEnd <= after && index >= star + (operands.length > after ? 1 : 0)
    const role = roles[isTail ? roles.length - fromEnd : star < 0 ? index : Math.min(index, star)] ?? 'text'
    found.push({ role: role.endsWith('*') ? role.slice(0, -1) : role, word, rest: NO_WORDS })
  }
  return { arguments: found, modes, acts, operands, unknown: sorting.unknown }
}
