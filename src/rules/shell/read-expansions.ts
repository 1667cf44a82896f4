import { NO_OUTPUT, type ShellState } from './shell-state.ts'

/** Reads the substitutions inside a text that the shell will expand although it was quoted. */
export function readExpansions(state: ShellState, text: string): undefined {
  if (!text.includes('$(') && !text.includes('`')) return
  state.parts.readText(state, `: <<HAFT_EXPANSION\n${text}\nHAFT_EXPANSION`, NO_OUTPUT)
}
