import type { Programs } from '../core/ports/developer/programs.ts'
import type { Replaced } from '../core/ports/files.ts'
import type { BareOptions } from './bare.ts'

/** The options of a sandbox. */
export interface SandboxOptions extends BareOptions {
  /** True when the user's settings say `sandbox = "off"`. */
  readonly off: boolean
  /** Haft's home folder, which holds active runs and their journals. */
  readonly home: string
  /** Folders outside the workspace that every command can read. */
  readonly shown?: readonly string[]
  /** The program that carries the network of a run into its sandbox; without it commands have none. */
  readonly forwarder?: string
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform
  /** What finds bubblewrap, sandbox-exec and the programs beside them. */
  readonly programs: Programs
  /** Programs of the workspace that run outside the sandbox because settings name them, relative to it: changes to them ask. Asked for in each run. */
  ownPrograms?(): readonly string[]
  /** The largest file kept for undo, in bytes; default 50 MB. */
  readonly keptLimit?: number
  /** Returns the files and folders that commands must not read, as absolute paths; none when left out. Asked for before each run. */
  listHiddenFiles?(): readonly string[]
  /** The most bytes that one run may write in all; default that of the limits. */
  readonly writeLimit?: number
  /** The most files and folders that one run may write or delete; default that of the limits. */
  readonly fileLimit?: number
  /** Called before a change is applied, with what it replaces. */
  replaced(record: Replaced): void
  /** The same for many changes at once, which is much faster. */
  replacedAll?(records: readonly Replaced[]): void
}
