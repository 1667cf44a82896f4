import { BUILD_COMMANDS } from '../commands/build-commands.ts'
import { COMMANDS } from '../commands/index.ts'
import { PACKAGE_COMMANDS } from '../commands/package-commands.ts'

/**
 * What a command does with its words, written in commands/ as one line:
 *   `-o=write`    an option whose value has a role; `-o=?write` when the value must be attached; `-e=text^` when it
 *                 takes the place of the first operand
 *   `-l=digits`   a flag with digits behind it, other flags may follow
 *   `-r+tree`     a flag that changes the roles: `tree` (everything below), `write` (operands are changed, not read),
 *                 `dry` (nothing happens)
 *   `-x!act`      a flag that is an act of its own, `-x=text!act` one with a value; `@act` the full command is one
 *   `%long`       options are words with one dash
 *   `%project`    it runs the code of the folder it works in
 *   `%loads`      words that it does not name may be code or settings; so it is for all build commands but those with `%data`
 *   `%everyday`   what it changes loses no work: output of builds, formatters and generators, attributes, new entries
 *   `%response`   a word `@file` stands for the words in that file
 *   `<role`       the role of its standard input
 *   `%sub`        the first operand is a subcommand, described under `name/sub` or `name/*`
 *   `text read*`  the roles of the operands; the one with a star takes all that the others leave
 */
export interface CommandSpec {
  readonly options: ReadonlyMap<string, OptionSpec>
  readonly operands: readonly string[]
  /** The index of the starred operand, or -1. */
  readonly star: number
  readonly acts: readonly string[]
  readonly long: boolean
  readonly subcommands: boolean
  readonly project: boolean
  readonly response: boolean
  readonly everyday: boolean
  /** True when words that the spec does not name may be code or settings that it loads. */
  readonly loads: boolean
  readonly fed: string | undefined
}

/** What one option does. */
export interface OptionSpec {
  readonly role?: string
  readonly attached?: boolean
  readonly replacesOperand?: boolean
  readonly mode?: string
  readonly act?: string
}

const compiled = new Map<string, CommandSpec>()
let lines: ReadonlyMap<string, string> | undefined

/** Returns the spec of a command or of `command/subcommand`; undefined when it is unknown. */
export function findSpec(name: string): CommandSpec | undefined {
  const ready = compiled.get(name)
  if (ready !== undefined) return ready
  lines ??= new Map(
    Object.entries(COMMANDS).flatMap(([names, line]) => names.split(' ').map((one): [string, string] => [one, line])),
  )
  const line = lines.get(name)
  if (line === undefined) return undefined
  const spec = compileSpec(line, isBuild(name))
  compiled.set(name, spec)
  return spec
}

/** Returns the name of a program in the tables: without version or dialect, in lower case. */
export function knownName(base: string): string | undefined {
  if (findSpec(base)) return base
  const plain = base.toLowerCase().replace(/\.exe$/, '')
  for (const name of [plain, plain.replace(/[-_.]?\d[\d.]*$/, ''), plain.replace(/^mk(fs\.\w+|\w+fs)$/, 'mkfs')])
    if (findSpec(name)) return name
  return /^ld(-linux|-musl|\.so|64\.so)/.test(plain) ? 'nohup' : undefined
}

/** Every command name of the tables. */
export function knownNames(): readonly string[] {
  names ??= Object.keys(COMMANDS).flatMap((some) => some.split(' ').filter((name) => !name.includes('/')))
  return names
}
let names: readonly string[] | undefined

/** True for compilers, test runners, formatters, generators and package managers: what they write is everyday. */
function isBuild(name: string): boolean {
  builds ??= new Set(
    [...Object.keys(BUILD_COMMANDS), ...Object.keys(PACKAGE_COMMANDS)].flatMap((names) => names.split(' ')),
  )
  return builds.has(name)
}
let builds: ReadonlySet<string> | undefined

function compileSpec(line: string, isBuild: boolean): CommandSpec {
  const options = new Map<string, OptionSpec>()
  const operands: string[] = []
  const acts: string[] = []
  for (const token of line.split(' ')) {
    const [, name = '', sign = '', rest = ''] = /^([^=!+]*)(=\??|[!+])?(.*)$/.exec(token) ?? []
    if (token === '' || token.startsWith('%') || token.startsWith('<')) continue
    if (token.startsWith('@')) acts.push(token.slice(1))
    else if (token.startsWith('-')) options.set(name, optionSpec(sign, rest))
    else operands.push(token)
  }
  const star = operands.findIndex((role) => role.endsWith('*'))
  return {
    options,
    operands,
    star,
    acts,
    long: line.includes('%long'),
    subcommands: line.includes('%sub'),
    project: line.includes('%project'),
    response: line.includes('%response'),
    everyday: line.includes('%everyday') || isBuild,
    loads: (isBuild || line.includes('%loads')) && !line.includes('%data'),
    fed: /(?:^| )<(\S+)/.exec(line)?.[1],
  }
}

function optionSpec(sign: string, rest: string): OptionSpec {
  if (sign === '+') return { mode: rest }
  if (sign === '!') return { act: rest }
  const [role = '', act] = rest.split('!')
  if (role === '') return {}
  return {
    role: role.replace('^', ''),
    ...(act !== undefined && { act }),
    attached: sign === '=?',
    replacesOperand: role.endsWith('^'),
  }
}
