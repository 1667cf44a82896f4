import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { insidePath, resolvePath } from '../../core/text/paths.ts'
import { lstatIfExists } from '../stat-path.ts'
import { type GitConfig, parseGitConfig } from './git-config.ts'

/** Where the person's own git configuration is, besides that of the repositories. */
export interface HookSources {
  /** The real path of the workspace. */
  readonly workspace: string
  /** The person's home folder; undefined where it is not looked at. */
  readonly userHome?: string | undefined
}

/** Returns the path that makes git run or trust a changed path, though it is not in a git folder: a folder of hooks or an included configuration. */
export type FindHookPath = (path: string) => string | undefined

/** Creates a finder that reads each repository above the asked paths once. */
export function createHookPathFinder(sources: HookSources): FindHookPath {
  const { workspace } = sources
  const known = new Map<string, readonly string[]>()
  const pathsOf = (folder: string): readonly string[] => {
    const seen = known.get(folder) ?? listHookPaths(folder, sources)
    known.set(folder, seen)
    return seen
  }
  return (path) => {
    const full = join(workspace, path)
    for (let folder = dirname(full); ; folder = dirname(folder)) {
      const found = pathsOf(folder).find((hook) => full === hook || full.startsWith(`${hook}/`))
      if (found !== undefined) return insidePath(workspace, found) ?? found
      if (folder === dirname(folder)) return undefined
    }
  }
}

/** Lists what the repository of a work tree runs or includes outside its git folder, as absolute paths in the workspace; nothing where there is no repository. */
export function listHookPaths(workTree: string, { workspace, userHome }: HookSources): string[] {
  const git = followGitFile(join(workTree, '.git'))
  if (git === undefined) return []
  const common = followCommon(git)
  const files = [
    ...[join(common, 'config'), join(git, 'config.worktree')],
    ...(userHome === undefined ? [] : [join(userHome, '.gitconfig'), join(userHome, '.config/git/config')]),
  ]
  const { hooks, included } = readHooks(files, workTree, userHome)
  const folders = [join(common, 'hooks'), ...hooks]
  const paths = [...hooks, ...included, ...folders.flatMap(listLinkTargets)]
  return paths.filter((path) => insidePath(workspace, path) !== undefined && path !== workspace)
}

interface Hooks {
  readonly hooks: readonly string[]
  readonly included: readonly string[]
}

/** How many configurations are read, those they include among them. */
const MAX_FILES = 30

function readHooks(files: readonly string[], workTree: string, userHome: string | undefined): Hooks {
  const hooks: string[] = []
  const queue = [...files]
  const expand = (base: string, path: string) =>
    path.startsWith('~/') && userHome !== undefined ? join(userHome, path.slice(2)) : resolvePath(base, path)
  for (const file of queue) {
    for (const [key, value] of readConfig(file)) {
      if (key === 'core.hookspath') hooks.push(expand(workTree, value))
      const isInclude = key === 'include.path' || /^includeif\..*\.path$/.test(key)
      if (isInclude && queue.length < MAX_FILES) queue.push(expand(dirname(file), value))
    }
  }
  return { hooks, included: queue.slice(files.length) }
}

function readConfig(file: string): GitConfig {
  try {
    return parseGitConfig(readFileSync(file, 'utf8')) ?? []
  } catch {
    return []
  }
}

/** Returns where the links lead that a folder of hooks is or contains; git runs what they lead to. */
function listLinkTargets(folder: string): string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())
    const own = realpathSync(folder)
    return [...(own === folder ? [] : [own]), ...links.flatMap(({ name }) => realPathOf(join(folder, name)))]
  } catch {
    return []
  }
}

function realPathOf(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

/** Returns the git folder of a `.git`, which may be a file that names it; undefined when there is none. */
function followGitFile(path: string): string | undefined {
  const stats = lstatIfExists(path)
  if (stats === undefined) return undefined
  const named = stats.isFile() ? /^gitdir: (.+?)\s*$/.exec(readOrEmpty(path))?.[1] : undefined
  return named === undefined ? path : resolvePath(dirname(path), named)
}

function followCommon(git: string): string {
  const named = readOrEmpty(join(git, 'commondir')).trim()
  return named === '' ? git : resolvePath(git, named)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
