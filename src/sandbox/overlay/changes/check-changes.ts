import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import { isTrustedPath } from '../../../core/rules/trusted-files.ts'
import { insidePath, resolvePath } from '../../../core/text/paths.ts'
import { findUnsafeGitChanges } from '../../../files/repositories/check-git-changes.ts'
import { createHookPathFinder } from '../../../files/repositories/hook-paths.ts'
import { isHaftName } from '../../../files/repositories/protected-paths.ts'
import { createIsBelow, lstatIfExists } from '../../../files/stat-path.ts'
import type { AppliedChange, Sides } from './find-changes.ts'

/** Throws when the changes may not be applied: BLOCKED for protected paths, CONFLICT for files that others changed since the start. */
export function checkChanges(changes: readonly AppliedChange[], sides: Sides, startedAt: number): void {
  checkForbidden(changes, sides)
  checkConflicts(changes, sides.lower, startedAt)
}

function checkForbidden(changes: readonly AppliedChange[], sides: Sides): void {
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

/** Throws CONFLICT when others changed the same paths in the workspace after a moment. */
export function checkConflicts(changes: readonly AppliedChange[], workspace: string, startedAt: number): void {
  const isBelowDeleted = createIsBelow(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path))
  const moved = changes
    .filter(({ path }) => !isBelowDeleted(path) && changedSince(join(workspace, path), startedAt))
    .map(({ path }) => path)
  if (moved.length > 0)
    throw new ToolError(
      'CONFLICT',
      `${list(moved)} changed while the command ran. None of its changes were applied. Check the files and run it again.`,
      {
        details: { paths: moved.slice(0, 100) },
        retryable: true,
      },
    )
}

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
function findForbidden(changes: readonly AppliedChange[], { lower, merged, userHome }: Sides): string[] {
  const paths = [...new Set(changes.map(({ path }) => path))]
  const findHookPath = createHookPathFinder({ workspace: realpathSync(lower), userHome })
  const named = paths.filter((path) => path.split('/').some(isHaftName) || findHookPath(path) !== undefined)
  return [...new Set([...named, ...findUnsafeGitChanges(paths, { lower, merged })])]
}
