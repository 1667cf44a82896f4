/** Finds the programs that run outside the sandbox. What lies in a workspace is never found: a command of a sandbox may have written it. */
export interface Programs {
  /** Returns the absolute path of a program of the system, such as `bwrap`: the folders of the system first, then PATH. Throws UNAVAILABLE where there is none. */
  system(name: string): string
  /** Returns the absolute path of a program that the person chooses, such as `npx`: PATH first. A name with a slash must be an absolute path. Throws UNAVAILABLE where there is none. */
  chosen(name: string): string
  /** Returns the person's environment for what runs outside: without what would make it load or start something of a workspace or of its working folder. */
  env(): Readonly<Record<string, string>>
}
