import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { messageOf } from '../core/call/result.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import { createBareSandbox } from './bare.ts'
import { createRefusingSandbox } from './refuse.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** Chooses the sandbox for this machine: none when settings say "off", the system's, or one that refuses and says what to install. */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  if (options.off) return createBareSandbox(options)
  const { platform = process.platform, programs } = options
  const machine = process.arch
  const isMac = platform === 'darwin'
  try {
    if (isMac || platform === 'linux') programs.system(isMac ? 'sandbox-exec' : 'bwrap')
  } catch (thrown) {
    return createRefusingSandbox(messageOf(thrown).replace(/\.$/, ''), isMac ? OFF_REMEDY : INSTALL_REMEDY)
  }
  if (isMac) return (await import('./seatbelt/seatbelt-sandbox.ts')).createSeatbelt(options)
  if (platform !== 'linux' || (machine !== 'x64' && machine !== 'arm64'))
    return createRefusingSandbox(`Haft has no sandbox for ${platform} on ${machine}`, OFF_REMEDY)
  if (!canWriteTo(tmpdir()))
    return createRefusingSandbox(
      `the folder for temporary files, ${tmpdir()}, cannot be written`,
      'Set TMPDIR to a folder that you can write to.',
    )
  return (await import('./bubblewrap/bubblewrap.ts')).createBubblewrap(options, machine)
}

const OFF_REMEDY = 'To run commands without a sandbox, set sandbox = "off" in your own settings.'
const INSTALL_REMEDY =
  'Install it with: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch).'

function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
