import { applyArgument } from './apply-argument.ts'
import { findSpec } from './command-spec.ts'
import { MARKS } from './marks.ts'
import { readArguments } from './read-arguments.ts'
import { runModule } from './run-module.ts'
import { act, type Output, type ShellState } from './shell-state.ts'

interface Interpreter {
  readonly name: string
  readonly words: readonly string[]
  readonly input: Output
  readInput(state: ShellState, name: string, input: Output): Output
}

const MODULES = /^(python|pypy|ipython)$/

/** Reads a call of an interpreter; with neither code nor file it runs what it is fed. */
export function runInterpreter(state: ShellState, { name, words, input, readInput }: Interpreter): Output {
  const spec = findSpec(name)
  if (spec === undefined) return { text: MARKS.unknown, endless: false }
  const module = MODULES.test(name) ? words.findIndex((word) => /^-[A-Za-z]*m./.test(word) || word === '-m') : -1
  const code = words.findIndex((word) => /^-[A-Za-z]*c$/.test(word))
  if (module >= 0 && (code < 0 || module < code) && words.slice(0, module).every((word) => word.startsWith('-')))
    return runModule(state, { words: words.slice(module), input, readInput })
  const read = readArguments(spec, words)
  for (const one of read.acts) act(state, one, [name, ...words.slice(0, 8)].join(' '))
  let output: Output | undefined
  for (const argument of read.arguments)
    output = applyArgument(state, { ...argument, name, input, modes: read.modes, operands: read.operands }) ?? output
  const hasCode = read.arguments.some(({ role }) => role === 'code' || role === 'code-file' || role === 'module')
  if (!hasCode && input.text !== '' && !read.modes.has('test')) return readInput(state, name, input)
  return output ?? { text: MARKS.unknown, endless: false }
}
