import { lstatSync, readFileSync } from 'node:fs'
import { lstatIfExists } from '../stat-path.ts'
import { type ConfigLocation, isHarmlessConfigChange } from './harmless-config.ts'
import { protectedPart } from './protected-paths.ts'

/** Returns the `.git` that a path is in, or undefined. */
export function repositoryOf(path: string): string | undefined {
  const parts = path.split('/')
  const at = parts.findIndex((name) => name.toLowerCase() === '.git')
  return at === -1 ? undefined : parts.slice(0, at + 1).join('/')
}

/** True for a protected path of a repository that is missing or contains only what `git init` creates: template hooks and plain settings. `at` is where to read it. */
export function isOfNewRepository(path: string, at: string): boolean {
  const repository = repositoryOf(path)
  if (repository === undefined || !protectedPart(path)?.startsWith(repository)) return false
  if (lstatIfExists(at) === undefined) return true
  const inside = path
    .slice(repository.length + 1)
    .split('/')
    .filter((name) => name !== '')
  const [first, second] = inside
  const stats = lstatSync(at)
  if (inside.length === 0) return stats.isDirectory()
  if (first === 'hooks' && second === undefined) return stats.isDirectory()
  if (first === 'hooks') return inside.length === 2 && second?.endsWith('.sample') === true && stats.isFile()
  return (
    first === 'config' &&
    inside.length === 1 &&
    stats.isFile() &&
    isHarmlessConfigChange('', readFileSync(at, 'utf8'), NO_WORK_TREE)
  )
}

const NO_WORK_TREE: ConfigLocation = { staysInside: () => false }
