/** Where a command line would run. All paths are absolute. */
export interface ShellLocation {
  readonly cwd: string
  readonly home: string
  readonly workspace: string
  /** Reads a settings file of the project that may name hosts, such as `.npmrc`. */
  readSettings?(path: string): string | undefined
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

/** How a path is used. `lists` reads only names and times; `links` creates a link to it. */
export type PathUse = 'reads' | 'writes' | 'deletes' | 'lists' | 'executes' | 'links'

/** One effect of a command line. Paths and hosts may contain marks (see marks.ts). */
export type ShellEffect =
  | {
      readonly kind: PathUse
      readonly path: string
      /** True when everything below is included. */
      readonly tree: boolean
      /** True for a change that loses no work: output of builds, formatters and generators, new entries, attributes, moves in the workspace. */
      readonly isEveryday?: boolean
      /** True when files of names not known beforehand are put into the folder. */
      readonly fills?: boolean
      /** The file without which nothing changes, such as an archive. */
      readonly source?: string
      /** True when only a folder is created. */
      readonly isFolder?: boolean
      readonly isGuess?: boolean
    }
  | {
      readonly kind: 'connects'
      readonly host: string
      readonly port: string
      readonly isGuess?: boolean
    }
  | {
      readonly kind: 'act'
      /** True where words of code suggest it, but not for certain: then no rule denies it. */
      readonly isGuess?: boolean
      /** The act that rules match on: power, disk, privilege, unknown … */
      readonly act: string
      readonly subject: string
    }

/** All effects of a command line, as far as it can be read. */
export interface ShellReading {
  /** Every command that may run, including those inside wrappers and substitutions. */
  readonly commands: readonly ShellCommand[]
  readonly effects: readonly ShellEffect[]
}
