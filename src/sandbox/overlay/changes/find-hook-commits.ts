import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { insidePath } from '../../../core/text/paths.ts'
import { parseGitConfig } from '../../../files/repositories/git-config.ts'
import { listHookPaths } from '../../../files/repositories/hook-paths.ts'
import { lstatIfExists } from '../../../files/stat-path.ts'
import type { AppliedChange, Sides } from './find-changes.ts'

/** Changed hooks that lie in new commits or the index, so that a later checkout brings them to where git runs them. */
export interface HookCommits {
  readonly hooks: readonly string[]
  /** The changes that bring them into the repository. */
  readonly changes: readonly AppliedChange[]
}

/** What stores commits and staged files, in the git folder of a repository, a submodule or a linked work tree. */
const STORED = /^((?:.*\/)?\.git(?:\/(?:modules|worktrees)\/.+?)?)\/(?:objects\/.|index$)/

/** Returns the hooks that a command committed or staged in repositories whose `core.hooksPath` is a folder of the work tree; undefined when there are none, and at no cost where there is no such folder. */
export function findHookCommits(changes: readonly AppliedChange[], sides: Sides): HookCommits | undefined {
  const stored = changes.filter(({ kind, path }) => kind !== 'deleted' && STORED.test(path))
  const repositories = new Set(stored.map(({ path }) => STORED.exec(path)?.[1] ?? ''))
  const hooks = [...repositories].flatMap((repository) => findIn(repository, sides))
  return hooks.length === 0 ? undefined : { hooks: [...new Set(hooks)], changes: stored }
}

function findIn(repository: string, { lower, upper, userHome }: Sides): string[] {
  const workspace = realpathSync(lower)
  const git = join(workspace, repository)
  const folder = findWorkTree(git)
  if (folder === undefined) return []
  const folders = listHookPaths(folder, { workspace, userHome }).flatMap((path) => insidePath(folder, path) || [])
  if (folders.length === 0) return []
  const changed = join(upper, repository)
  try {
    const known = new Set(listStaged(git, join(git, 'index')))
    const added = [...listCommitted(git, join(changed, 'objects')), ...listStaged(git, join(changed, 'index'))]
    return added.filter((entry) => !known.has(entry) && isHook(pathOf(entry), folders)).map(pathOf)
  } catch {
    // What cannot be read is for a person to look at.
    return folders.map((path) => relative(workspace, join(folder, path)))
  }
}

/** Returns the work tree of a git folder: its own folder, or the one that the configuration of a submodule or the file `gitdir` of a linked work tree names. Undefined for a repository that was not there before the run. */
function findWorkTree(git: string): string | undefined {
  if (basename(git) === '.git') return dirname(git)
  const linked = readOrEmpty(join(git, 'gitdir')).trim()
  if (linked !== '') return dirname(resolve(git, linked))
  const settings = parseGitConfig(readOrEmpty(join(git, 'config'))) ?? []
  const named = settings.findLast(([key]) => key === 'core.worktree')?.[1]
  return named === undefined ? undefined : resolve(git, named)
}

function readOrEmpty(path: string): string {
  return lstatIfExists(path)?.isFile() ? readFileSync(path, 'utf8') : ''
}

/** True for a path in a folder of hooks, and for a file or link in place of such a folder or one above it. */
function isHook(path: string, folders: readonly string[]): boolean {
  return folders.some((hook) => `${path}/`.startsWith(`${hook}/`) || hook.startsWith(`${path}/`))
}

const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1)

/** Lists the entries of an index: mode, object and path. */
function listStaged(git: string, index: string): string[] {
  if (lstatIfExists(index)?.isFile() !== true) return []
  return readGit(git, ['ls-files', '-s', '-z'], { GIT_INDEX_FILE: index })
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.replace(/ \d\t/, '\t'))
}

/** Lists what the commits in a folder of new objects add or change, in the form of `listStaged`; of a merge, only what no parent has. */
function listCommitted(git: string, objects: string): string[] {
  if (lstatIfExists(objects)?.isDirectory() !== true) return []
  const all = readGit(git, ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'], {
    GIT_OBJECT_DIRECTORY: objects,
  })
  const commits = [...all.matchAll(/^commit (\w+)$/gm)].map(([, id]) => `${id}\n`)
  if (commits.length === 0) return []
  const before = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(git, 'objects') }
  const options = ['--stdin', '-c', '--root', '-r', '-z', '--no-commit-id', '--no-renames']
  const fields = readGit(git, ['diff-tree', ...options], before, commits.join('')).split('\0')
  return fields.flatMap((field, index) => {
    const parents = /^:+(?=\d{6} )/.exec(field)?.[0].length
    if (parents === undefined) return []
    const words = field.slice(parents).split(' ')
    const [mode, object] = [words[parents], words[2 * parents + 1]]
    return mode === '000000' ? [] : [`${mode} ${object}\t${fields[index + 1]}`]
  })
}

/** Runs a git command that only reads, with the person's own repository and none of what the command configured. */
function readGit(git: string, args: readonly string[], more: Readonly<Record<string, string>>, input = ''): string {
  return execFileSync('git', ['-c', 'core.fsmonitor=false', ...args], {
    cwd: git,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
      GIT_DIR: git,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      ...more,
    },
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 20_000,
    maxBuffer: 512_000_000,
    encoding: 'utf8',
  })
}
