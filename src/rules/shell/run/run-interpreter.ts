import { applyArgument } from '../arguments/apply-argument.ts'
import { findSpec } from '../arguments/command-spec.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import { readLoosePaths } from '../arguments/read-loose-paths.ts'
import { readBang } from '../code/read-bang.ts'
import { readCode } from '../code/read-code.ts'
import { MARKS } from '../marks.ts'
import { act, type Output, type ShellState } from '../shell-state.ts'
import { runModule } from './run-module.ts'

interface Interpreter {
  readonly name: string
  readonly words: readonly string[]
  readonly input: Output
  readInput(state: ShellState, name: string, input: Output): Output
}

const MODULES = /^(python|pypy|ipython)$/

/** Returns the position of `-m`; what follows belongs to the module. */
function moduleAt(words: readonly string[]): number {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-[bBdEhiIOPqRsSuvVx]*m/.test(word)) return at
    if (/^-[WXQ]$/.test(word)) at++
    else if (!word.startsWith('-') || /^-[A-Za-z]*c/.test(word)) return -1
  }
  return -1
}

/** Reads a setting of IPython, which may hold code. */
function readSetting(state: ShellState, option: string): void {
  const code = /^--[\w.]+=(.*)$/s.exec(option)?.[1] ?? ''
  if (code.includes('!')) readBang(state, code)
  readCode(state, 'python', code)
}

/** Reads a call of an interpreter; without code or file it runs its standard input. */
export function runInterpreter(state: ShellState, { name, words, input, readInput }: Interpreter): Output {
  const spec = findSpec(name)
  if (spec === undefined) return { text: MARKS.unknown, endless: false }
  const module = MODULES.test(name) ? moduleAt(words) : -1
  if (module >= 0) return runModule(state, { words: words.slice(module), input, readInput })
  const read = readArguments(spec, words)
  readLoosePaths(state, read.unknown)
  if (name === 'ipython') for (const option of read.unknown) readSetting(state, option)
  for (const one of read.acts) act(state, one, [name, ...words.slice(0, 8)].join(' '))
  let output: Output | undefined
  for (const argument of read.arguments)
    output = applyArgument(state, { ...argument, name, input, modes: read.modes, operands: read.operands }) ?? output
  const hasCode = read.arguments.some(({ role }) => role === 'code' || role === 'code-file' || role === 'module')
  if ((!hasCode || read.modes.has('interactive')) && input.text !== '' && !read.modes.has('test'))
    return readInput(state, name, input)
  return output ?? { text: MARKS.unknown, endless: false }
}
