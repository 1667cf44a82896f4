import { lstatSync, type Stats } from 'node:fs'

/** What lies at a path, a link not followed; undefined also where a part of the path is no folder. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Tells whether a path lies below one of these. */
export function createBelow(paths: Iterable<string>): (path: string) => boolean {
  const known = new Set(paths)
  return (path) => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (known.has(path.slice(0, at))) return true
    }
    return false
  }
}
