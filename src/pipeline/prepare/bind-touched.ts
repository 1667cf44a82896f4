import type { ReadFiles } from '../../core/ports/files.ts'
import type { CallReading } from '../../core/rules/rule.ts'
import { insidePath } from '../../core/text/paths.ts'
import { listProgramFiles } from './program-files.ts'

/** How many paths of a command are bound, and how large a file may be, in bytes. */
const MAX_PATHS = 100
const MAX_SIZE = 20_000_000

/** Characters of paths that are patterns or not known for certain. */
const UNCERTAIN = /[*?[\]{}~$…\uE000-\uF8FF]/

/** Returns the state of each path that a command names: the scripts it would run, the files in which programs look them up, and what it would read, change or delete. A yes is bound to them. A path that may not be looked at is left out. */
export function bindTouched(
  reading: Pick<CallReading, 'commands' | 'touches'>,
  files: ReadFiles,
  workspace: string,
): Readonly<Record<string, string | null>> {
  const named = reading.touches.flatMap((touch) => ('path' in touch ? [touch.path] : []))
  const paths = [...listProgramFiles(reading), ...named].map((path) => insidePath(workspace, path))
  const certain = paths.filter((path) => path !== undefined && path !== '.' && !UNCERTAIN.test(path))
  const found: Record<string, string | null> = {}
  for (const path of new Set(certain.slice(0, MAX_PATHS))) {
    const state = path === undefined ? undefined : stateOf(path, files)
    if (path !== undefined && state !== undefined) found[path] = state
  }
  return found
}

function stateOf(path: string, files: ReadFiles): string | null | undefined {
  try {
    const { current } = files.changeable(path)
    return current !== undefined && current.size > MAX_SIZE ? undefined : files.left(path)
  } catch {
    return undefined
  }
}
