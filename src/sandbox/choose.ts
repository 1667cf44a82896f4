import { accessSync, constants, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../core/ports/sandbox.ts'
import { createBareSandbox } from './bare.ts'
import { createRefusingSandbox } from './refuse.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** Chooses the sandbox for this machine: none when settings say "off", the system's, or one that refuses and says what to install. */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.off) return createBareSandbox(options)
  const { platform = process.platform, programs = USUAL_FOLDERS } = options
  const machine = process.arch
  if (platform === 'darwin') return chooseSeatbelt(options, findProgram('sandbox-exec', programs))
  if (platform !== 'linux' || (machine !== 'x64' && machine !== 'arm64'))
    return createRefusingSandbox(`Haft has no sandbox for ${platform} on ${machine}`, OFF_REMEDY)
  const program = findProgram('bwrap', [...(options.env.PATH ?? '').split(':'), ...programs])
  if (program === undefined) return createRefusingSandbox('bubblewrap (bwrap) is not installed', INSTALL_REMEDY)
  if (!canWriteTo(tmpdir()))
    return createRefusingSandbox(
      `the folder for temporary files, ${tmpdir()}, cannot be written`,
      'Set TMPDIR to a folder that you can write to.',
    )
  const { createBubblewrap } = await import('./bubblewrap/bubblewrap.ts')
  return createBubblewrap(options, program, machine)
}

async function chooseSeatbelt(options: SandboxOptions, program: string | undefined): Promise<Sandbox> {
  if (program === undefined)
    return createRefusingSandbox('sandbox-exec, which comes with macOS, is missing', OFF_REMEDY)
  const { createSeatbelt } = await import('./seatbelt/seatbelt-sandbox.ts')
  return createSeatbelt(options, program)
}

const OFF_REMEDY = 'To run commands without a sandbox, set sandbox = "off" in your own settings.'
const INSTALL_REMEDY =
  'Install it with: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch).'

const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']

function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the first program with this name in the folders. */
function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}
