/** The limits of the reader; a command line beyond one of them is denied without being judged. */
export const SHELL_LIMITS = {
  /** The longest argument that Linux passes to a program. */
  length: 131_072,
  commands: 20_000,
  depth: 48,
  words: 100_000,
  alternatives: 64,
} as const

/** Thrown inside the reader when a command line exceeds a limit. */
export class ShellLimit extends Error {}

/** The remaining budget. */
export interface ShellBudget {
  commands: number
  words: number
  characters: number
}

/** Creates the budget of one command line. */
export function shellBudget(): ShellBudget {
  return { commands: SHELL_LIMITS.commands, words: SHELL_LIMITS.words, characters: 16 * SHELL_LIMITS.length }
}

/** Spends from the budget; throws ShellLimit when it is used up. */
export function spend(budget: ShellBudget, what: keyof ShellBudget, amount = 1): void {
  budget[what] -= amount
  if (budget[what] < 0) throw new ShellLimit(`it has too many ${what}`)
}
