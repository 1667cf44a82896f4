import { join } from 'node:path'
import { createGitFolderFinder } from '../../../../files/repositories/git-folders.ts'
import { createTree } from '../../../../files/repositories/tree.ts'
import { lstatIfExists } from '../../../../files/stat-path.ts'
import type { AppliedChange, Sides } from '../find-changes.ts'
import { openGit, withNewObjects } from './read-git.ts'

/** What holds many objects, or says what many hold. */
const STORE =
  /^((?:.*\/)?)objects\/(?:(pack\/pack-[0-9a-f]+)\.(?:pack|idx)|(pack\/multi-pack-index.*)|(info\/commit-graph.*))$/

/** Returns the changes to packs and their indexes, in repositories that were there before, of which git cannot confirm that they hold what their names say: git itself believes them when it checks out, so that a known hook could become another. */
export function findUnsoundStores(changes: readonly AppliedChange[], sides: Sides): AppliedChange[] {
  const stored = changes.filter((change) => 'type' in change && change.type !== 'folder' && STORE.test(change.path))
  if (stored.length === 0) return []
  const find = createGitFolderFinder(createTree(sides.lower))
  const checked = new Map<string, boolean>()
  return stored.filter(({ path }) => {
    const [, before = '', pack, , graph] = STORE.exec(path) ?? []
    const repository = before.replace(/\/$/, '')
    const isKnown = lstatIfExists(join(sides.lower, before, 'objects')) !== undefined && find(path) === repository
    if (!isKnown) return false
    const key = `${before}${pack ?? (graph === undefined ? path : 'graph')}`
    const isSound = checked.get(key) ?? check(sides, repository, { pack, isGraph: graph !== undefined })
    checked.set(key, isSound)
    return !isSound
  })
}

interface Store {
  readonly pack: string | undefined
  readonly isGraph: boolean
}

function check({ lower, upper, merged, programs }: Sides, repository: string, { pack, isGraph }: Store): boolean {
  const folder = join(lower, repository)
  const git = openGit(programs, folder, { GIT_DIR: folder })
  try {
    if (pack !== undefined) git.read(['index-pack', '--verify', join(merged, repository, 'objects', `${pack}.pack`)])
    else if (isGraph)
      git.read(
        ['-c', 'core.commitGraph=true', 'commit-graph', 'verify'],
        withNewObjects(folder, join(upper, repository, 'objects')),
      )
    // An index of several packs is rare, and is for a person to look at.
    return pack !== undefined || isGraph
  } catch {
    return false
  }
}
