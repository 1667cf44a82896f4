/** The most the reader takes on; past any of these a command line is not judged but refused. */
export const SHELL_LIMITS = {
  /** Linux hands no longer text to a program. */
  length: 131_072,
  commands: 20_000,
  depth: 48,
  words: 100_000,
  alternatives: 64,
} as const

/** Thrown inside the reader only: the command line is past a limit. */
export class ShellLimit extends Error {}

/** What may still be read. */
export interface ShellBudget {
  commands: number
  words: number
  characters: number
}

/** A fresh budget for one command line. */
export function shellBudget(): ShellBudget {
  return { commands: SHELL_LIMITS.commands, words: SHELL_LIMITS.words, characters: 16 * SHELL_LIMITS.length }
}

/** Takes from the budget; throws ShellLimit when nothing is left. */
export function spend(budget: ShellBudget, what: keyof ShellBudget, amount = 1): void {
  budget[what] -= amount
  if (budget[what] < 0) throw new ShellLimit(`it has too many ${what}`)
}
