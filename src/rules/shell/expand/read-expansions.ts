import { NO_OUTPUT, readVariable, type ShellState } from '../shell-state.ts'

/** Reads the substitutions inside a text that the shell will expand although it was quoted. */
export function readExpansions(state: ShellState, text: string): undefined {
  if (!text.includes('$(') && !text.includes('`')) return
  state.parts.readText(state, `: <<HAFT_EXPANSION\n${text}\nHAFT_EXPANSION`, NO_OUTPUT)
}

/** Reads a text the shell takes as arithmetic: it also expands the text of a variable named there. */
export function readArithmetic(state: ShellState, text: string): undefined {
  readExpansions(state, text)
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) readExpansions(state, readVariable(state, name)?.value[0] ?? '')
}
