import { setVariable } from './scope.ts'
import { act, NO_OUTPUT, type Output, readVariable, type ShellFunction, type ShellState } from './shell-state.ts'

interface Call {
  readonly name: string
  readonly bodies: readonly ShellFunction[]
  readonly words: readonly string[]
  readonly input: Output
}

/** Reads a call of a function that the command line defines. A function that starts itself in the background is a fork bomb. */
export function callFunction(state: ShellState, { name, bodies, words, input }: Call): Output {
  if (state.calls.includes(name)) {
    if (state.spawned) act(state, 'fork-bomb', name)
    return NO_OUTPUT
  }
  const positional = readVariable(state, '@')?.value ?? []
  setVariable(state.scope, '@', { value: words, array: true })
  const inner: ShellState = { ...state, calls: [...state.calls, name], spawned: false, depth: state.depth + 1 }
  const outputs = bodies.map((body) => {
    body.called = true
    return body.walk(inner, input)
  })
  setVariable(state.scope, '@', { value: positional, array: true })
  return outputs.at(-1) ?? NO_OUTPUT
}
