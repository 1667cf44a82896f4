import { messageOf } from '../../core/call/result.ts'
import type { ControlGroup } from '../limits/control-group.ts'
import type { Stage } from './stage.ts'

/** Takes away what ended runs leave, behind the caller's back: a result need not wait for it. */
export interface Cleaner {
  clean(stage: Stage): void
  /** The same for one that was never used. */
  discard(stage: Stage): void
  /** Resolves when nothing is left. */
  done(): Promise<void>
}

/** Makes a cleaner. */
export function createCleaner(): Cleaner {
  const under = new Set<Promise<void>>()
  const clean = (stage: Stage) => {
    const work = cleanUp(stage)
      .catch(warn)
      .finally(() => under.delete(work))
    under.add(work)
  }
  return {
    clean,
    discard(stage) {
      stage.box.hold(true)
      stage.box.kill()
      clean(stage)
    },
    async done() {
      await Promise.all(under)
    },
  }
}

async function cleanUp({ box, group, close }: Stage): Promise<void> {
  await box.release()
  await removeGroup(group)
  close()
}

/** What stays behind harms no later run, and the next start takes it away. */
function warn(thrown: unknown): void {
  process.emitWarning(`what a command left could not all be removed: ${messageOf(thrown)}`, 'HaftCleanupWarning')
}

/** The kernel lets a group go a moment after its last process. */
async function removeGroup(group: ControlGroup): Promise<void> {
  for (let tries = 0; !group.remove() && tries < 200; tries++) await new Promise((resolve) => setTimeout(resolve, 5))
}
