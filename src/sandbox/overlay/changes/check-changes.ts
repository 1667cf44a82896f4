import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import { isTrustedPath } from '../../../core/rules/trusted-files.ts'
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
  return changes
    .filter(
      ({ path }) =>
        !isBelowDeleted(path) && (changedSince(join(workspace, path), startedAt) || isFolderOther(parentOf(path))),
    )
    .map(({ path }) => path)
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

/** Returns the changes to files that other programs execute or trust. They need approval; an empty folder is not a file. */
export function findTrusted(changes: readonly AppliedChange[]): AppliedChange[] {
  return changes.filter((change) => isTrustedPath(change.path) && !isFolderOnly(change))
}

function isFolderOnly(change: AppliedChange): boolean {
  return change.kind === 'mode' || ('type' in change && change.type === 'folder')
}

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
  const paths = [...new Set(changes.map(({ path }) => path))]
  const deleted = changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path)
  const isDeleted = createIsAtOrBelow(deleted)
  const after = isLayered ? createLayeredTree(lower, upper, isDeleted) : createTree(merged)
  const findHookPath = createHookPathFinder({ workspace: realpathSync(lower), userHome })
  const named = paths.filter((path) => path.split('/').some(isHaftName) || findHookPath(path) !== undefined)
  return [...new Set([...named, ...findUnsafeGitChanges(paths, { lower, after })])]
}
