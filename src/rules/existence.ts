import type { KnownPaths, PathKind, PathLookup } from '../core/ports/path-lookup.ts'
import { insidePath } from '../core/text/paths.ts'
import { globExpression, isGlob, isOpen, MARKS, settled, showText } from './shell/marks.ts'

/** What the judge learned about one call: path as shown, relative to the workspace → what lies there. */
export type Learned = Readonly<Record<string, PathKind>>

/** Looks up, for one call, what exists, and remembers the answers. */
export interface Existence {
  /** What lies at an absolute path that may hold marks; for a glob, what its first match is. */
  kindOf(path: string): PathKind
  readonly learned: Learned
}

/** Starts the lookups of one call. */
export function startExistence(lookup: PathLookup, workspace: string): Existence {
  const learned: Record<string, PathKind> = {}
  return {
    learned,
    kindOf(path) {
      const shown = showText(path)
      const name = insidePath(workspace, shown) ?? shown
      learned[name] ??= lookUp(path, lookup)
      return learned[name]
    },
  }
}

/** Returns what is known to exist, without looking. */
export function knownExistence({ paths, otherwise }: KnownPaths, workspace: string): Existence {
  const find = (path: string): PathKind | undefined => {
    if (otherwise === 'unknown' || !isGlob(path)) return undefined
    const expression = globExpression(path)
    return Object.entries(paths).find(([name]) => expression.test(`${workspace}/${name}`))?.[1]
  }
  return {
    learned: paths,
    kindOf(path) {
      const shown = showText(path)
      return paths[insidePath(workspace, shown) ?? shown] ?? find(path) ?? otherwise
    },
  }
}

/** Marks of text that may be anything, slashes included. */
const ANYTHING = new RegExp(`[${MARKS.unknown}${MARKS.network}${MARKS.hidden}]`)

function lookUp(path: string, lookup: PathLookup): PathKind {
  if (ANYTHING.test(path)) return 'unknown'
  if (!isGlob(path) && !isOpen(path)) return lookup.kindOf(settled(path))
  const expression = globExpression(path)
  const parts = path.split('/')
  const first = parts.findIndex((part) => isGlob(part))
  const folder = parts.slice(0, first).join('/') || '/'
  const depth = path.includes(MARKS.deep) ? Number.POSITIVE_INFINITY : parts.length
  return lookup.findBelow(folder, (found) => found.split('/').length <= depth && expression.test(found))
}
