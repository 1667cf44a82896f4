import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { MAX_LOOKED_AT, type PathKind, type PathLookup } from '../core/ports/path-lookup.ts'
import { insidePath } from '../core/text/paths.ts'

/** Creates the lookup of a workspace. Paths outside it are unknown: nothing there is looked at. */
export function createPathLookup(workspace: string): PathLookup {
  const isInside = (path: string) => insidePath(workspace, path) !== undefined
  return {
    kindOf: (path) => (isInside(path) ? kindOf(path) : 'unknown'),
    findBelow: (folder, matches) => (isInside(folder) ? findBelow(folder, matches) : 'unknown'),
  }
}

/** Error codes that mean that there is nothing at a path. */
const MISSING: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']

function kindOf(path: string): PathKind {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return 'none'
    return found.isDirectory() ? 'folder' : 'file'
  } catch (thrown) {
    return isMissing(thrown) ? 'none' : 'unknown'
  }
}

function findBelow(folder: string, matches: (path: string) => boolean): PathKind {
  const folders = [folder]
  let looked = 0
  let found: PathKind = 'none'
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = listFolder(at)
    if (entries === undefined) return 'unknown'
    for (const entry of entries) {
      if (++looked > MAX_LOOKED_AT) return 'unknown'
      const path = `${at === '/' ? '' : at}/${entry.name}`
      if (matches(path)) {
        if (!entry.isDirectory()) return 'file'
        found = 'folder'
      }
      if (entry.isDirectory()) folders.push(path)
    }
  }
  return found
}

function listFolder(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (thrown) {
    return isMissing(thrown) ? [] : undefined
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && MISSING.includes(thrown.code)
}
