import type { Output, ShellState } from '../shell-state.ts'

/** One word of a command with its role and its context. */
export interface RoleArgument {
  readonly role: string
  readonly word: string
  /** This word and all that follow, for roles that take the rest. */
  readonly rest: readonly string[]
  readonly name: string
  readonly input: Output
  readonly modes: ReadonlySet<string>
  readonly operands: readonly string[]
}

/** Records the effect of a word with this role; returns the command's output when it is known. */
export type RoleReader = (state: ShellState, argument: RoleArgument) => Output | undefined
