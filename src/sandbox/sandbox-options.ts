import type { Replaced } from '../core/ports/files.ts'

/** What a sandbox is made of. */
export interface SandboxOptions {
  readonly workspace: string
  /** The user's settings say `sandbox = "off"`. */
  readonly off: boolean
  /** The environment Haft was started in: where programs are found, and where home is. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Haft's own folder; runs under way and their journals lie in it. */
  readonly home: string
  /** This machine's when left out. */
  readonly platform?: NodeJS.Platform
  /** Where bubblewrap is looked for after PATH, and seatbelt's program alone; the usual places when left out. */
  readonly programs?: readonly string[]
  /** The largest file that is kept for undo, in bytes; 50 MB when left out. */
  readonly keptLimit?: number
  /** Hears, before a change is applied, what it replaces. */
  replaced(record: Replaced): void
}
