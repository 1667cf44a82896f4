/** Where a command line would run. All three are absolute paths. */
export interface ShellPlace {
  readonly cwd: string
  readonly home: string
  readonly workspace: string
}

/** One simple command with every quote, variable and wrapper resolved. */
export interface ShellCommand {
  /** The last part of its path: `rm` for `/bin/rm`. */
  readonly name: string
  readonly argv: readonly string[]
  /** The words joined by single spaces: what filters and patterns are matched against. */
  readonly text: string
  /** True when every word is known: no variable, substitution or glob is left in them. */
  readonly isExact: boolean
}

/** How a path is touched. `lists` reads names and times only; `links` lets a name point there. */
export type PathUse = 'reads' | 'writes' | 'deletes' | 'lists' | 'executes' | 'links'

/** One thing a command line would do. Paths and hosts may hold marks (see marks.ts). */
export type ShellEffect =
  | {
      readonly kind: PathUse
      readonly path: string
      /** Everything below, too. */
      readonly tree: boolean
    }
  | {
      readonly kind: 'connects'
      readonly host: string
      readonly port: string
    }
  | {
      readonly kind: 'act'
      /** A word of the rules: power, disk, privilege, unknown … */
      readonly act: string
      readonly subject: string
    }

/** Everything a command line would do, as far as it can be read. */
export interface ShellReading {
  /** Every command that may run, inner ones of wrappers and substitutions included. */
  readonly commands: readonly ShellCommand[]
  readonly effects: readonly ShellEffect[]
}
