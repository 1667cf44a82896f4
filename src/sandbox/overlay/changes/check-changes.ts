import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import { insidePath, resolvePath } from '../../../core/text/paths.ts'
import { findUnsafeGitChanges } from '../../../files/repositories/check-git-changes.ts'
import { createHookPathFinder } from '../../../files/repositories/hook-paths.ts'
import { isHaftName } from '../../../files/repositories/protected-paths.ts'
import { createLayeredTree, createTree } from '../../../files/repositories/tree.ts'
import { createIsAtOrBelow, createIsBelow, lstatIfExists } from '../../../files/stat-path.ts'
import type { AppliedChange, Sides } from './find-changes.ts'

/** Throws BLOCKED for protected paths. */
export function checkForbidden(changes: readonly AppliedChange[], sides: Sides): void {
  const forbidden = findForbidden(changes, sides)
  if (forbidden.length > 0)
    throw new ToolError(
      'BLOCKED',
      `The command changed ${list(forbidden)}, which is protected: programs outside the sandbox trust it. None of its changes were applied.`,
      {
        details: { rule: 'protected paths', paths: forbidden.slice(0, 100) },
      },
    )
}

/** Throws BLOCKED when the command moved, replaced or removed what it may not read: a hidden file under another name could be read by the next command. */
export function checkHidden(
  changes: readonly AppliedChange[],
  { hidden, workspace }: { readonly hidden: readonly string[]; readonly workspace: string },
): void {
  if (hidden.length === 0) return
  const paths = hidden.flatMap((path) => insidePath(workspace, path) ?? [])
  const isHidden = createIsAtOrBelow(paths)
  const removed = createIsAtOrBelow(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const moved = [...paths.filter(removed), ...changes.map(({ path }) => path).filter(isHidden)]
  if (moved.length === 0) return
  throw new ToolError(
    'BLOCKED',
    `The command moved or replaced ${list([...new Set(moved)])}, which a rule denies to read. None of its changes were applied.`,
    { details: { rule: 'hidden files', paths: moved.slice(0, 100) } },
  )
}

/** Throws CONFLICT when others changed the same paths in the workspace after a moment, or removed or re-created a folder that holds them. */
export function checkConflicts(changes: readonly AppliedChange[], workspace: string, startedAt: number): void {
  const conflicts = findConflicts(changes, workspace, startedAt)
  if (conflicts.length > 0) throw conflictOf(conflicts)
}

/** Returns the CONFLICT for paths that both sides changed. */
export function conflictOf(paths: readonly string[]): ToolError {
  return new ToolError(
    'CONFLICT',
    `${list(paths)} changed while the command ran. None of its changes were applied. Check the files and run it again.`,
    { details: { paths: paths.slice(0, 100) }, retryable: true },
  )
}

/** Returns the paths that others changed too. */
export function findConflicts(changes: readonly AppliedChange[], workspace: string, startedAt: number): string[] {
  const isBelowDeleted = createIsBelow(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const isFolderOther = createFolderCheck(changes, workspace, startedAt)
  const isBelowMissing = createMissingCheck(changes, workspace)
  return changes
    .filter(
      ({ path }) =>
        !isBelowDeleted(path) &&
        !isBelowMissing(path) &&
        (changedSince(join(workspace, path), startedAt) || isFolderOther(parentOf(path))),
    )
    .map(({ path }) => path)
}

/** Returns a function that tells whether a path is directly in a folder that the command made and that the workspace does not have: nobody else can have written there. */
function createMissingCheck(changes: readonly AppliedChange[], workspace: string): (path: string) => boolean {
  const missing = new Set<string>()
  for (const change of changes) {
    if (change.kind !== 'added' || change.type !== 'folder') continue
    if (missing.has(parentOf(change.path)) || lstatIfExists(join(workspace, change.path)) === undefined)
      missing.add(change.path)
  }
  return (path) => missing.has(parentOf(path))
}

/** Returns a function that tells whether a folder is not the one that the command saw: gone, or made since. Folders that the command made itself are its own. */
function createFolderCheck(
  changes: readonly AppliedChange[],
  workspace: string,
  startedAt: number,
): (folder: string) => boolean {
  const known = new Map<string, boolean>([['', false]])
  for (const change of changes) if (change.kind === 'added' && 'mode' in change) known.set(change.path, false)
  const isOther = (folder: string): boolean => {
    const seen = known.get(folder)
    if (seen !== undefined) return seen
    const stats = lstatIfExists(join(workspace, folder))
    const found = stats?.isDirectory() !== true || stats.birthtimeMs > startedAt || isOther(parentOf(folder))
    known.set(folder, found)
    return found
  }
  return isOther
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Returns new links whose target text points outside the workspace. */
export function findLeadingOut(changes: readonly AppliedChange[], { merged, lower }: Sides): string[] {
  return changes
    .filter((change) => 'type' in change && change.type === 'link')
    .map(({ path }) => path)
    .filter(
      (path) =>
        insidePath(lower, resolvePath(join(lower, dirname(path)), readlinkSync(join(merged, path)))) === undefined,
    )
}

/** Lists the first few paths. */
export function list(paths: readonly string[]): string {
  return `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
}

/** True when anything at or below the path changed after the moment. */
function changedSince(path: string, moment: number): boolean {
  const stats = lstatIfExists(path)
  if (stats === undefined) return false
  if (!stats.isDirectory()) return stats.ctimeMs > moment
  return readdirSync(path).some((name) => changedSince(join(path, name), moment))
}

/** Returns the paths that no command may change: Haft's own folder, what git runs, and what git runs because its configuration names it. */
function findForbidden(
  changes: readonly AppliedChange[],
  { lower, merged, upper, isLayered, userHome }: Sides,
): string[] {
  const deleted = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const isDeleted = createIsAtOrBelow(deleted)
  const isLeaf = (change: AppliedChange) => 'type' in change && change.type !== 'folder' && !deleted.has(change.path)
  const changed = new Map(changes.map((change) => [change.path, { path: change.path, isLeaf: isLeaf(change) }]))
  const paths = [...changed.keys()]
  const after = isLayered ? createLayeredTree(lower, upper, isDeleted) : createTree(merged)
  const findHookPath = createHookPathFinder({ workspace: realpathSync(lower), userHome })
  const named = paths.filter((path) => path.split('/').some(isHaftName) || findHookPath(path) !== undefined)
  return [...new Set([...named, ...findUnsafeGitChanges([...changed.values()], { lower, after })])]
}
