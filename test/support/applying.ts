import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Waits until a run's changes are being applied, or the run has ended: on a quick machine the first may be over unseen. */
export async function untilApplying(runs: string, running: Promise<unknown>): Promise<void> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  running.then(end, end)
  while (!hasEnded && !isApplying(runs)) await new Promise((resolve) => setImmediate(resolve))
}

/** The folders come and go while they are looked at. */
function isApplying(runs: string): boolean {
  try {
    return readdirSync(runs).some((run) => existsSync(join(runs, run, 'journal.json')))
  } catch {
    return false
  }
}
