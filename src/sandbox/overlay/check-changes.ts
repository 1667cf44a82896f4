import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { insidePath, resolvePath } from '../../core/paths.ts'
import { ToolError } from '../../core/result.ts'
import { isTrustedPath } from '../../core/trusted-files.ts'
import { protectedPart } from '../protected-paths.ts'
import type { Difference, Sides } from './find-changes.ts'
import { createBelow, lookAt } from './look.ts'

/** Throws where the changes may not be applied: protected paths, or files that changed underneath since the start. */
export function checkChanges(changes: readonly Difference[], sides: Sides, startedAt: number): void {
  const forbidden = changes.map(({ path }) => path).filter((path) => isForbidden(path, sides))
  if (forbidden.length > 0)
    throw new ToolError(
      'BLOCKED',
      `The command changed ${list(forbidden)}, which is protected: programs outside the sandbox trust it. None of its changes were applied.`,
      {
        details: { rule: 'protected paths', paths: forbidden.slice(0, 100) },
      },
    )
  const isBelowDeleted = createBelow(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const moved = changes
    .filter(({ path }) => !isBelowDeleted(path) && changedSince(join(sides.lower, path), startedAt))
    .map(({ path }) => path)
  if (moved.length > 0)
    throw new ToolError(
      'CONFLICT',
      `${list(moved)} changed while the command ran. None of its changes were applied; look at the files and run it again.`,
      {
        details: { paths: moved.slice(0, 100) },
        retryable: true,
      },
    )
}

/** The changes to what other programs execute or trust: a person must agree to them. */
export function findTrusted(changes: readonly Difference[]): Difference[] {
  return changes.filter(({ path }) => isTrustedPath(path))
}

/** New links that lead out of the workspace, as words go. */
export function findLeadingOut(changes: readonly Difference[], { merged, lower }: Sides): string[] {
  return changes
    .filter((change) => 'type' in change && change.type === 'link')
    .map(({ path }) => path)
    .filter(
      (path) =>
        insidePath(lower, resolvePath(join(lower, dirname(path)), readlinkSync(join(merged, path)))) === undefined,
    )
}

/** Names, the first few of them. */
export function list(paths: readonly string[]): string {
  return `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
}

/** Anything at or below the path that is younger than the run. */
function changedSince(path: string, moment: number): boolean {
  const stats = lookAt(path)
  if (stats === undefined) return false
  if (!stats.isDirectory()) return stats.ctimeMs > moment
  return readdirSync(path).some((name) => changedSince(join(path, name), moment))
}

/** A new repository may bring what `git init` makes; in one that was there, what git executes or trusts stays as it is. */
function isForbidden(path: string, sides: Sides): boolean {
  const part = protectedPart(path)
  if (part === undefined) return false
  const parts = path.split('/')
  const at = parts.findIndex((name) => name.toLowerCase() === '.git')
  if (at === -1) return true
  const repository = parts.slice(0, at + 1).join('/')
  const isNew = lookAt(join(sides.lower, repository)) === undefined
  return !isNew || !isOfNewRepository(parts.slice(at + 1), join(sides.merged, path))
}

function isOfNewRepository(inside: readonly string[], path: string): boolean {
  const [first, second] = inside
  if (first === undefined) return lstatSync(path).isDirectory()
  if (first === 'hooks') return second === undefined || (second.endsWith('.sample') && inside.length === 2)
  return (
    first === 'config' && inside.length === 1 && lstatSync(path).isFile() && hasPlainKeys(readFileSync(path, 'utf8'))
  )
}

const PLAIN_KEYS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^user\.(name|email)$/,
  /^remote\.[^.]+\.(url|fetch)$/,
  /^branch\.[^.]+\.(remote|merge)$/,
  /^init\.defaultbranch$/,
]

/** True where every key of a git configuration is one that cannot make git run anything. */
function hasPlainKeys(text: string): boolean {
  let section = ''
  return text.split('\n').every((raw) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) return true
    const head = /^\[([\w-]+)(?: "([\w./-]+)")?\]$/.exec(line)
    if (head) section = [head[1]?.toLowerCase(), head[2]?.replaceAll('.', '_')].filter(Boolean).join('.')
    const key = /^([\w-]+)\s*=/.exec(line)?.[1]
    return (
      head !== null ||
      (key !== undefined &&
        !line.endsWith('\\') &&
        PLAIN_KEYS.some((plain) => plain.test(`${section}.${key.toLowerCase()}`)))
    )
  })
}
