import { messageOf } from '../../core/call/result.ts'
import type { PreparedSandbox } from './prepared-sandbox.ts'

/** Cleans up after runs in the background, so that results need not wait. */
export interface Cleaner {
  clean(prepared: PreparedSandbox): void
  /** Ends and cleans up a sandbox that was never used. */
  discard(prepared: PreparedSandbox): void
  /** Resolves when all clean-up is done. */
  done(): Promise<void>
}

/** Creates a cleaner. */
export function createCleaner(): Cleaner {
  const active = new Set<Promise<void>>()
  const clean = (prepared: PreparedSandbox) => {
    const work = cleanUp(prepared)
      .catch(warn)
      .finally(() => active.delete(work))
    active.add(work)
  }
  return {
    clean,
    discard(prepared) {
      prepared.bwrap.setKeepAlive(true)
      prepared.bwrap.kill()
      clean(prepared)
    },
    async done() {
      await Promise.all(active)
    },
  }
}

async function cleanUp({ bwrap, group, forwarder, close }: PreparedSandbox): Promise<void> {
  await Promise.all([bwrap.release(), forwarder?.close()])
  await group.remove()
  await close()
}

/** Warns only: leftovers do not affect later runs, and the next start removes them. */
function warn(thrown: unknown): void {
  process.emitWarning(`could not clean up after a command: ${messageOf(thrown)}`, 'HaftCleanupWarning')
}
