import { spawn } from 'node:child_process'
import type { Programs } from '../../core/ports/developer/programs.ts'

/** True where a browser would open before the person's eyes: with a terminal and a display, never over SSH or in CI. */
export function mayOpenBrowser(
  env: NodeJS.ProcessEnv = process.env,
  isTerminal = process.stdout.isTTY === true,
): boolean {
  if (!isTerminal || env.CI || env.SSH_CONNECTION || env.SSH_CLIENT || env.SSH_TTY) return false
  return process.platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** The name of the program that opens files and addresses with what the person has chosen for them. */
export const OPENER = process.platform === 'darwin' ? 'open' : 'xdg-open'

/** Opens the browser and does not wait for it. Where it fails, the printed link is still there. */
export function openBrowser(link: string, programs: Programs): void {
  try {
    const options = { stdio: 'ignore', detached: true, cwd: '/', env: programs.env() } as const
    spawn(programs.system(OPENER), [link], options)
      .on('error', () => undefined)
      .unref()
  } catch {
    // There is no such program.
  }
}
