import { accessSync, constants, lstatSync, type Stats } from 'node:fs'

/** Returns the stats of a path, a link not followed. Undefined when it does not exist, or a parent is not a folder or a link that leads nowhere. */
export function lstatIfExists(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTDIR' || error.code === 'ELOOP'))
      return undefined
    throw error
  }
}

/** Returns a function that checks whether a path is below one of the given paths. */
export function createIsBelow(paths: Iterable<string>): (path: string) => boolean {
  const known = new Set(paths)
  return (path) => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (known.has(path.slice(0, at))) return true
    }
    return false
  }
}

/** Returns a function that checks whether a path is one of the given paths or below one. */
export function createIsAtOrBelow(paths: Iterable<string>): (path: string) => boolean {
  const known = new Set(paths)
  const isBelow = createIsBelow(known)
  return (path) => known.has(path) || isBelow(path)
}

/** True when this user may read what lies at a path. */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
