import type { Replaced } from '../core/files.ts'
import type { Sandbox } from '../core/sandbox.ts'
import { createBareSandbox } from './bare.ts'
import { createRefusingSandbox } from './refuse.ts'

/** What a sandbox needs of the house. */
export interface SandboxOptions {
  readonly workspace: string
  /** The user's settings say `sandbox = "off"`. */
  readonly off: boolean
  /** The environment Haft was started in: where programs are found, and where home is. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Hears, before a change is applied, what it replaces. */
  replaced(record: Replaced): void
}

/** The sandbox of this machine: the user's "off", the system's, or one that refuses and says what to install. */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.off) return createBareSandbox(options)
  return createRefusingSandbox('bubblewrap is not installed', 'Install it with: apt-get install bubblewrap')
}
