import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** True when git ignores a path, relative to the workspace. */
export type IsIgnored = (path: string, isFolder: boolean) => boolean

/** The largest .gitignore that is read, in bytes. */
const LIMIT = 1 << 20

/** Reads which paths of a workspace git ignores now, by the .gitignore files in it; not by `.git/info/exclude`, which commands may change without anybody seeing it. A path that git tracks, or may track, is never ignored; without a repository nothing is. */
export function readIgnored(workspace: string): IsIgnored {
  const isTracked = readTracked(workspace)
  if (isTracked === undefined) return () => false
  const folders = new Map<string, Ignore | undefined>()
  const rulesOf = (folder: string): Ignore | undefined => {
    if (!folders.has(folder)) folders.set(folder, readRules(join(workspace, folder, '.gitignore')))
    return folders.get(folder)
  }
  /** The deepest .gitignore that speaks of a path decides; what lies in an ignored folder is ignored. */
  const isExcluded = (path: string, isFolder: boolean): boolean => {
    const parts = path.split('/')
    for (let length = 1; length <= parts.length; length++) {
      const isLast = length === parts.length
      if (decide(parts.slice(0, length), isLast ? isFolder : true, rulesOf)) return true
    }
    return false
  }
  return (path, isFolder) => isExcluded(path, isFolder) && !isTracked(path)
}

function decide(parts: readonly string[], isFolder: boolean, rulesOf: (folder: string) => Ignore | undefined): boolean {
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const below = parts.slice(depth).join('/')
    const found = rulesOf(parts.slice(0, depth).join('/'))?.test(isFolder ? `${below}/` : below)
    if (found?.ignored || found?.unignored) return found.ignored
  }
  return false
}

function readRules(path: string): Ignore | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true || found.size > LIMIT) return undefined
  return ignore().add(readFileSync(path, 'utf8'))
}

/** Returns whether the index of the repository may name a path; undefined where there is no repository. */
function readTracked(workspace: string): ((path: string) => boolean) | undefined {
  const folder = findGitFolder(workspace)
  if (folder === undefined) return undefined
  const path = join(folder, 'index')
  if (!existsSync(path)) return () => false
  const index = readFileSync(path)
  // Version 4 shortens the names, so that they cannot be found: then everything counts as tracked.
  return index.readUInt32BE(4) > 3 ? () => true : (name) => index.includes(`${name}\0`) || index.includes(`${name}/`)
}

/** Finds the git folder of the repository that a folder is in. */
function findGitFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const entry = join(folder, '.git')
    const found = statSync(entry, { throwIfNoEntry: false })
    if (found?.isDirectory()) return entry
    if (found?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))?.[1]
      return named === undefined ? undefined : resolve(folder, named)
    }
    if (folder === dirname(folder)) return undefined
  }
}
