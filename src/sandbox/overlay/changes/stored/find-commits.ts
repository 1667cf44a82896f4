import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseGitConfig } from '../../../../files/repositories/git-config.ts'
import { lstatIfExists } from '../../../../files/stat-path.ts'
import type { AppliedChange, Sides } from '../find-changes.ts'
import { createRunCheck } from './create-run-check.ts'
import { createWorkTreeCheck } from './in-work-tree.ts'
import { listCommitted, listKnown, listStaged, type StoredEntry } from './list-stored.ts'
import { type GitReader, openGit } from './read-git.ts'

/** Files that lie in new commits or the index, so that a later checkout brings them to where git or other programs run them. */
export interface TrustedCommits {
  /** Relative to their work trees. */
  readonly paths: readonly string[]
  /** The changes that bring them into the repository. */
  readonly changes: readonly AppliedChange[]
}

/** What stores commits and staged files, in the git folder of a repository, a submodule or a linked work tree. */
const STORED = /^((?:.*\/)?\.git(?:\/(?:modules|worktrees)\/.+?)?)\/(?:objects\/.|index$)/

/** Returns what a command committed or staged that a checkout would make git, or other programs, run or trust; undefined when there is nothing. What the work tree, the index or a commit of the repository held already is known. */
export function findTrustedCommits(changes: readonly AppliedChange[], sides: Sides): TrustedCommits | undefined {
  const stored = changes.filter(({ kind, path }) => kind !== 'deleted' && STORED.test(path))
  const repositories = new Set(stored.map(({ path }) => STORED.exec(path)?.[1] ?? ''))
  const paths = [...repositories].flatMap((repository) => findIn(repository, sides))
  return paths.length === 0 ? undefined : { paths: [...new Set(paths)], changes: stored }
}

function findIn(repository: string, sides: Sides): string[] {
  const workspace = realpathSync(sides.lower)
  const git = join(workspace, repository)
  const folder = lstatIfExists(git) === undefined ? undefined : findWorkTree(git)
  if (folder === undefined) return []
  const changed = join(sides.upper, repository)
  const reader = openGit(sides.programs, git, { GIT_DIR: git })
  const objects = join(changed, 'objects')
  const { isRun, hookFolders } = createRunCheck({ workspace, git: reader, folder, objects }, sides)
  try {
    const added = [...listCommitted(reader, objects), ...listStaged(reader, join(changed, 'index'))]
    const run = added.filter(isRun)
    return run.length === 0 ? [] : withoutKnown(run, reader, folder).map(({ path }) => path)
  } catch {
    // What cannot be read is for a person to look at.
    const shown = hookFolders.length > 0 ? hookFolders : [basename(git)]
    return shown.map((path) => relative(workspace, join(folder, path)))
  }
}

/** Leaves out what the index, the work tree or a commit of the repository held before the run. */
function withoutKnown(entries: readonly StoredEntry[], git: GitReader, folder: string): StoredEntry[] {
  const isInWorkTree = createWorkTreeCheck(folder)
  const textOf = ({ mode, object, path }: StoredEntry) => `${mode} ${object} ${path}`
  const staged = new Set(listStaged(git, join(git.folder, 'index')).map(textOf))
  const left = entries.filter((entry) => !staged.has(textOf(entry)) && !isInWorkTree(entry))
  if (left.length === 0) return []
  const known = new Set(listKnown(git, [...new Set(left.map(({ path }) => path))]).map(textOf))
  return left.filter((entry) => !known.has(textOf(entry)))
}

/** Returns the work tree of a git folder: its own folder, or the one that the configuration of a submodule or the file `gitdir` of a linked work tree names. Undefined for a repository without one, and for one outside the workspace. */
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
