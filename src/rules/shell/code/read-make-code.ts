import { runText } from '../run/run-text.ts'
import { NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'

/** Reads a makefile: its recipes and its `$(shell …)` calls. */
export function readMakeCode(state: ShellState, text: string): undefined {
  for (const [, command = ''] of text.matchAll(/\$\(shell ([^)]*)\)/g)) runText(state, command, NO_OUTPUT)
  for (const line of text.split('\n')) runText(newShell(state), recipeOf(line), NO_OUTPUT)
}

/** Returns the command of a makefile line: after a tab, or after the first `;` of a rule. */
function recipeOf(line: string): string {
  return /^\t[@+-]*(.*)$/.exec(line)?.[1] ?? /^[^=]*?:[^;=]*;(.*)$/.exec(line)?.[1] ?? ''
}
