import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
  /** Haft's own folder; runs under way and their journals lie in it. */
  readonly home: string
  /** Folders outside the workspace that every command can read. */
  readonly shown?: readonly string[]
  /** This machine's when left out. */
  readonly platform?: NodeJS.Platform
  /** Where bubblewrap is looked for after PATH, and seatbelt's program alone; the usual places when left out. */
  readonly programs?: readonly string[]
  /** The largest file that is kept for undo, in bytes; 50 MB when left out. */
  readonly keptLimit?: number
  /** Hears, before a change is applied, what it replaces. */
  replaced(record: Replaced): void
}

/** The sandbox of this machine: the user's "off", the system's, or one that refuses and says what to install. */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.off) return createBareSandbox(options)
  const { platform = process.platform, programs = USUAL_PLACES } = options
  const machine = process.arch
  if (platform === 'darwin') return chooseSeatbelt(options, findProgram('sandbox-exec', programs))
  if (platform !== 'linux' || (machine !== 'x64' && machine !== 'arm64'))
    return createRefusingSandbox(`none is known for ${platform} on ${machine}`, OFF_REMEDY)
  const program = findProgram('bwrap', [...(options.env.PATH ?? '').split(':'), ...programs])
  if (program === undefined) return createRefusingSandbox('bubblewrap (bwrap) is not installed', INSTALL_REMEDY)
  const { createBubblewrap } = await import('./bubblewrap.ts')
  return createBubblewrap(options, program, machine)
}

async function chooseSeatbelt(options: SandboxOptions, program: string | undefined): Promise<Sandbox> {
  if (program === undefined) return createRefusingSandbox('sandbox-exec is missing, which comes with macOS', OFF_REMEDY)
  const { createSeatbelt } = await import('./seatbelt-sandbox.ts')
  return createSeatbelt(options, program)
}

const OFF_REMEDY = 'To run commands without one, say sandbox = "off" in your own settings.'
const INSTALL_REMEDY =
  'Install it with: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch).'

const USUAL_PLACES = ['/usr/local/bin', '/usr/bin', '/bin']

/** The first program of that name in these folders. */
function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}
