import { lstatIfExists } from '../../../../files/stat-path.ts'
import { type GitReader, withNewObjects } from './read-git.ts'

/** A file or link in a commit or an index. */
export interface StoredEntry {
  /** `100755` for a program, `120000` for a link. */
  readonly mode: string
  readonly object: string
  /** Relative to the work tree. */
  readonly path: string
}

/** Lists the entries of an index. */
export function listStaged(git: GitReader, index: string): StoredEntry[] {
  if (lstatIfExists(index)?.isFile() !== true) return []
  return git
    .read(['ls-files', '-s', '-z'], { GIT_INDEX_FILE: index })
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', object = '', path = ''] = /^(\d+) (\w+) \d\t(.+)$/s.exec(line) ?? []
      return path === '' ? [] : [{ mode, object, path }]
    })
}

const CHANGES = ['-r', '-z', '--no-renames', '--no-abbrev', '--raw'] as const

/** Lists what the commits in a folder of new objects add or change; of a merge, only what no parent has. */
export function listCommitted(git: GitReader, objects: string): StoredEntry[] {
  if (lstatIfExists(objects)?.isDirectory() !== true) return []
  const all = git.read(['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'], {
    GIT_OBJECT_DIRECTORY: objects,
  })
  const commits = [...all.matchAll(/^commit (\w+)$/gm)].map(([, id]) => `${id}\n`)
  if (commits.length === 0) return []
  const args = ['diff-tree', '--stdin', '-c', '--root', '--no-commit-id', ...CHANGES]
  return readChanges(git.read(args, withNewObjects(git.folder, objects), commits.join('')))
}

/** Lists what the commits of a repository, those of every ref, ever added or changed at some paths. */
export function listKnown(git: GitReader, paths: readonly string[]): StoredEntry[] {
  const args = [
    'log',
    '--all',
    '--root',
    '-m',
    '--format=',
    ...CHANGES,
    '--',
    ...paths.map((path) => `:(literal)${path}`),
  ]
  return readChanges(git.read(args))
}

/** Reads changes in the raw form of git: `:100644 100755 OLD NEW M`, then the path; with more parents of a merge, more of each. */
function readChanges(text: string): StoredEntry[] {
  const fields = text.split('\0')
  return fields.flatMap((field, index) => {
    const parents = /^:+(?=\d{6} )/.exec(field)?.[0].length
    if (parents === undefined) return []
    const words = field.slice(parents).split(' ')
    const [mode = '', object = ''] = [words[parents], words[2 * parents + 1]]
    return mode === '000000' ? [] : [{ mode, object, path: fields[index + 1] ?? '' }]
  })
}
