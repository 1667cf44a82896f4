import { setTimeout as wait } from 'node:timers/promises'

/** A process that is stopped at all stops within this time, in milliseconds. */
const STOPPED_WITHIN = 200

/** Stops the process group as Ctrl-Z in a shell does: whatever started this process (npx, a script) stops with it, so that the shell prompts. Resolves to true when the shell lets it go on, or to false where nothing stopped it, as under a terminal without job control. */
export async function stopProcess(): Promise<boolean> {
  const over = new AbortController()
  const continued = new Promise<true>((resolve) => {
    const listener = () => resolve(true)
    process.once('SIGCONT', listener)
    over.signal.addEventListener('abort', () => process.off('SIGCONT', listener))
  })
  process.kill(0, 'SIGTSTP')
  // Time stands still for a stopped process, so this ends early only where it goes on at once.
  const hasStopped = await Promise.race([continued, waitForStop()])
  over.abort()
  return hasStopped
}

/** Resolves to false. The second wait lets a SIGCONT that came at the same time be handled first. */
async function waitForStop(): Promise<false> {
  await wait(STOPPED_WITHIN)
  return wait(STOPPED_WITHIN / 4, false)
}
