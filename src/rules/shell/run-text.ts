import { isConstant, MARKS, showText } from './marks.ts'
import { act, type Output, type ShellState } from './shell-state.ts'

/** Reads text that a shell would run: what came from the network or was hidden is recorded as such, the rest is read. */
export function runText(state: ShellState, text: string, input: Output): Output {
  noteSource(state, text)
  return state.parts.readText(state, text, input)
}

/** Records where code comes from when it is not all in the command line. */
export function noteSource(state: ShellState, text: string): void {
  if (isConstant(text)) return
  const shown = showText(text).slice(0, 200)
  if (text.includes(MARKS.network)) act(state, 'download-run', shown)
  else if (text.includes(MARKS.hidden)) act(state, 'hidden', shown)
  else act(state, 'unknown', shown)
}
