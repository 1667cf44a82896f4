import type { Output, ShellState } from '../shell-state.ts'

/** One word of a command with its role and what the rest of the command says. */
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

/** Records what a word of that role does; returns what the command prints where it knows. */
export type RoleReader = (state: ShellState, argument: RoleArgument) => Output | undefined
