import { NO_OUTPUT, readVariable, type ShellState } from '../shell-state.ts'

/** Reads the substitutions in a quoted text that the shell expands later. */
export function readExpansions(state: ShellState, text: string): undefined {
  if (!text.includes('$(') && !text.includes('`')) return
  state.parts.readText(state, `: <<HAFT_EXPANSION\n${text}\nHAFT_EXPANSION`, NO_OUTPUT)
}

/** Reads a text that the shell evaluates as arithmetic, which also expands variables named in it. */
export function readArithmetic(state: ShellState, text: string, hops = 0): undefined {
  readExpansions(state, text)
  if (hops >= 8 || !/[A-Za-z_]/.test(text)) return
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
    const value = readVariable(state, name)?.value[0]
    if (value !== undefined && value !== text) readArithmetic(state, value, hops + 1)
  }
}
