import { runText } from '../run/run-text.ts'
import { NO_OUTPUT, newShell, type ShellState } from '../shell-state.ts'

/** Reads the text of a makefile: what its lines run, and what it asks a shell for. */
export function readMakeCode(state: ShellState, text: string): undefined {
  for (const [, command = ''] of text.matchAll(/\$\(shell ([^)]*)\)/g)) runText(state, command, NO_OUTPUT)
  for (const line of text.split('\n')) runText(newShell(state), recipeOf(line), NO_OUTPUT)
}

/** What a line of a makefile runs: after a tab, or after the first `;` of a rule. */
function recipeOf(line: string): string {
  return /^\t[@+-]*(.*)$/.exec(line)?.[1] ?? /^[^=]*?:[^;=]*;(.*)$/.exec(line)?.[1] ?? ''
}
