import type { PathKind, PathLookup } from '../../src/core/ports/path-lookup.ts'

/** What the workspace of the corpora holds. */
const ENTRIES: ReadonlyMap<string, PathKind> = new Map([
  ['/home/dev/ws', 'folder'],
  ['/home/dev/ws/a.txt', 'file'],
  ['/home/dev/ws/dir', 'folder'],
  ['/home/dev/ws/dir/b.txt', 'file'],
])

const lookup: PathLookup = {
  kindOf: (path) => ENTRIES.get(path) ?? 'none',
  findBelow: (folder, matches) =>
    [...ENTRIES].find(([path]) => path.startsWith(`${folder}/`) && matches(path))?.[1] ?? 'none',
}

/** Where the command lines of the corpora run, as their header says: in a workspace that holds only `a.txt` and `dir/b.txt`. */
export const LOCATION = {
  cwd: '/home/dev/ws',
  home: '/home/dev',
  workspace: '/home/dev/ws',
  haftHome: '/home/dev/.haft',
  haftPorts: ['4242'],
  lookup,
}
