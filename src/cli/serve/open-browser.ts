import { spawn } from 'node:child_process'

/** True where a browser would open before the person's eyes: with a terminal and a display, never over SSH or in CI. */
export function mayOpenBrowser(
  env: NodeJS.ProcessEnv = process.env,
  isTerminal = process.stdout.isTTY === true,
): boolean {
  if (!isTerminal || env.CI || env.SSH_CONNECTION || env.SSH_CLIENT || env.SSH_TTY) return false
  return process.platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Opens the browser and does not wait for it. Where that fails, the printed link is still there. */
export function openBrowser(link: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(program, [link], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
