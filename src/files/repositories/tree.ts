import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lstatIfExists } from '../stat-path.ts'

/** A tree that is looked at: a folder, or a folder as it will be once changes are applied. */
export interface Tree {
  /** Returns where a path can be read; a path at which nothing exists where it was deleted. */
  at(path: string): string
  /** Returns the names in a folder. */
  names(folder: string): string[]
}

/** Makes the tree of a folder. */
export function createTree(root: string): Tree {
  return { at: (path) => join(root, path), names: (folder) => readdirSync(join(root, folder)) }
}

/** Makes the tree that a workspace will be once the entries of an upper layer are put over it and the deleted ones are gone. */
export function createLayeredTree(lower: string, upper: string, isDeleted: (path: string) => boolean): Tree {
  const at = (path: string): string => {
    const stats = lstatIfExists(join(upper, path))
    const isMark = stats?.isCharacterDevice() && stats.rdev === 0
    if (stats !== undefined && !isMark) return join(upper, path)
    return isMark || isDeleted(path) ? join(upper, path, 'deleted') : join(lower, path)
  }
  return {
    at,
    names(folder) {
      const names = [lower, upper].flatMap((side) =>
        lstatIfExists(join(side, folder))?.isDirectory() ? readdirSync(join(side, folder)) : [],
      )
      return [...new Set(names)].filter(
        (name) => lstatIfExists(at(folder === '' ? name : `${folder}/${name}`)) !== undefined,
      )
    },
  }
}
