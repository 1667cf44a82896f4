import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../core/call/result.ts'
import type { AsideFolders } from '../../files/workspace-root.ts'
import { removeManyFiles } from './remove-many-files.ts'
import { canHoldRuns, isApart, listRunsFolders, nameRun, removeIfEmpty } from './run-folder.ts'

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
      const work = removeManyFiles(path)
        .then(() => removeIfEmpty(dirname(path)))
        .catch((thrown: unknown) => warn(thrown))
        .finally(() => active.delete(work))
      active.add(work)
    },
    async done() {
      await Promise.all(active)
    },
  }
}

function warn(thrown: unknown): void {
  process.emitWarning(`could not delete what an undo removed: ${messageOf(thrown)}`, 'HaftCleanupWarning')
}
