import { mkdirSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../../core/call/result.ts'
import type { AsideFolders } from '../../files/workspace-root.ts'
import { canHoldRuns, isApart, listRunsFolders, nameRun, removeIfEmpty, removeRunFolder } from './run-folder.ts'

/** How many entries are deleted at once: a disk that is slow to delete one file deletes several in the same time. */
const AT_ONCE = 8

/** Creates the place for what undo removes. It is among the run folders, so that the next start removes what a killed process left. */
export function createAsideFolders(home: string, workspace: string): AsideFolders & { done(): Promise<void> } {
  const active = new Set<Promise<void>>()
  return {
    make() {
      const [runs] = listRunsFolders(home, workspace)
      if (runs === undefined || !canHoldRuns(runs, workspace) || isApart(runs, workspace)) return undefined
      const path = join(runs, nameRun())
      mkdirSync(path, { mode: 0o700 })
      return path
    },
    remove(path) {
      const work = removeAll(path)
        .catch((thrown: unknown) => warn(thrown))
        .finally(() => active.delete(work))
      active.add(work)
    },
    async done() {
      await Promise.all(active)
    },
  }
}

async function removeAll(path: string): Promise<void> {
  const names = await readdir(path)
  const removeNext = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await rm(join(path, name), { recursive: true, force: true }).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, removeNext))
  // What could not be removed is unlocked first.
  removeRunFolder(path)
  removeIfEmpty(dirname(path))
}

function warn(thrown: unknown): void {
  process.emitWarning(`could not delete what an undo removed: ${messageOf(thrown)}`, 'HaftCleanupWarning')
}
