import { join } from 'node:path'
import { lstatIfExists } from '../stat-path.ts'
import { createGitFolderFinder, isGitName } from './git-folders.ts'
import { createHookPathFinder } from './hook-paths.ts'
import { createTree } from './tree.ts'

/** What git needs to take a folder as a repository; a file tool that adds the last of them would make one. */
const PARTS = ['HEAD', 'objects', 'refs', 'commondir']

/** Returns what makes a path dangerous for a file tool to change: a folder of hooks, a repository that is not named `.git`, or one that the change would complete. */
export function findGitDanger(workspace: string, path: string): string | undefined {
  const hook = createHookPathFinder({ workspace })(path)
  if (hook !== undefined) return hook
  const git = createGitFolderFinder(createTree(workspace))(path)
  if (git !== undefined) return isGitName(git) || git === path ? undefined : git === '' ? '.' : git
  return findCompleted(workspace, path)
}

/** Returns the folder that would hold `HEAD`, `objects` and `refs`, or `HEAD` and `commondir`, once the path exists. */
function findCompleted(workspace: string, path: string): string | undefined {
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    if (!PARTS.includes(name)) continue
    const folder = parts.slice(0, index).join('/')
    const has = (part: string) => part === name || lstatIfExists(join(workspace, folder, part)) !== undefined
    if (has('HEAD') && (has('commondir') || (has('objects') && has('refs')))) return folder === '' ? '.' : folder
  }
  return undefined
}
