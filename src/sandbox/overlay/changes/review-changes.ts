import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'
import type { RunChange, RunOwner } from '../../../core/ports/sandbox.ts'
import { insidePath } from '../../../core/text/paths.ts'
import { protectedPart } from '../../../files/repositories/protected-paths.ts'
import { lstatIfExists } from '../../../files/stat-path.ts'
import { list } from './check-changes.ts'
import { listNames, refuseDeletedNames } from './entries.ts'
import type { AppliedChange, Sides } from './find-changes.ts'
import { findTrusted } from './find-trusted.ts'
import { findUnkept } from './find-unkept.ts'
import { findTrustedCommits } from './stored/find-commits.ts'
import { findUnsoundStores } from './stored/find-unsound.ts'

/** What a person must approve before the changes of a run are applied. */
export interface Review {
  /** The changes to show. */
  readonly changes: readonly AppliedChange[]
  readonly rule: string
  readonly reason: string
}

const TRUSTED_FILES = {
  rule: 'trusted files',
  reason: 'it changed files that other programs execute or trust',
} as const

const NOT_KEPT = {
  rule: 'undo limit',
  reason: 'it replaced or deleted what undo cannot restore: it is too large to keep, not readable, or no ordinary file',
} as const

/** Judges what a run really changed. Rejects with BLOCKED where a rule denies it; returns what must be approved, or undefined. */
export async function reviewChanges(
  changes: readonly AppliedChange[],
  sides: Sides,
  { owner, keptLimit }: { readonly owner: RunOwner; readonly keptLimit: number },
): Promise<Review | undefined> {
  const workspace = sides.lower
  const real = listRealChanges(changes, workspace)
  const verdict = owner.judge?.(owner.mode === 'review' ? await markIgnored(real, changes, workspace) : real)
  if (verdict?.decision === 'deny')
    throw new ToolError(
      'BLOCKED',
      `The command changed ${verdict.path ?? 'files'}, which the rule "${verdict.rule}" denies: ${verdict.reason}. None of its changes were applied.`,
      { details: { rule: verdict.rule, ...(verdict.path !== undefined && { paths: [verdict.path] }) } },
    )
  const approved = new Set(owner.approvedPaths?.flatMap((path) => insidePath(workspace, path) ?? []))
  const trusted = findTrusted(changes, sides).filter(({ path }) => !approved.has(path))
  const isAboutTrust = verdict?.path !== undefined && trusted.some(({ path }) => path === verdict.path)
  if (verdict?.decision === 'ask' && !isAboutTrust) return { changes, rule: verdict.rule, reason: verdict.reason }
  if (trusted.length > 0) return { changes: trusted, ...TRUSTED_FILES }
  const unkept = owner.mode === 'auto' ? [] : findUnkept(changes, sides, { keptLimit, approved })
  if (unkept.length > 0) return { changes: unkept, ...NOT_KEPT }
  return reviewStored(changes, sides)
}

/** Judges what a run stored in repositories: a later checkout brings it into the work tree. */
function reviewStored(changes: readonly AppliedChange[], sides: Sides): Review | undefined {
  const { rule } = TRUSTED_FILES
  const unsound = findUnsoundStores(changes, sides)
  if (unsound.length > 0)
    return { changes: unsound, rule, reason: 'git could not confirm that these files hold the objects that they name' }
  const committed = findTrustedCommits(changes, sides)
  if (committed === undefined) return undefined
  const reason = `it committed or staged ${list(committed.paths)}, which git runs once it is checked out, or other programs do`
  return { changes: committed.changes, rule, reason }
}

/** Returns the error for changes that need approval where nobody can be asked. */
export function nobodyToAsk({ changes, rule, reason }: Review): ToolError {
  const paths = changes.map(({ path }) => path)
  return new ToolError(
    'DENIED',
    `The command changed ${list(paths)}. A person must approve that first (${reason}; rule ${rule}), and there is nobody to ask here. None of its changes were applied.`,
    { details: { rule, paths: paths.slice(0, 100) } },
  )
}

/** Lists the changes as rules judge them: each deleted file of a deleted folder, and nothing of a git folder that was checked by itself. */
function listRealChanges(changes: readonly AppliedChange[], workspace: string): RunChange[] {
  const real: RunChange[] = []
  for (const { kind, path } of changes) {
    if (protectedPart(path) !== undefined) continue
    if (kind === 'deleted') addDeleted(real, workspace, path)
    else real.push({ kind: 'writes', path, existed: kind !== 'added' })
  }
  return real
}

/** Marks the changes of paths that git ignored before the run. */
async function markIgnored(
  real: readonly RunChange[],
  changes: readonly AppliedChange[],
  workspace: string,
): Promise<readonly RunChange[]> {
  const { readIgnored } = await import('../../../files/repositories/ignored-paths.ts')
  const isIgnored = readIgnored(workspace)
  const folders = new Set(changes.filter((one) => 'type' in one && one.type === 'folder').map(({ path }) => path))
  return real.map((change) => {
    const isFolder = folders.has(change.path) || lstatIfExists(join(workspace, change.path))?.isDirectory() === true
    return isIgnored(change.path, isFolder) ? { ...change, isIgnored: true } : change
  })
}

function addDeleted(real: RunChange[], workspace: string, path: string): void {
  real.push({ kind: 'deletes', path, existed: true })
  if (lstatIfExists(join(workspace, path))?.isDirectory() !== true) return
  for (const name of listNames(workspace, path, () => refuseDeletedNames(workspace, path)))
    addDeleted(real, workspace, `${path}/${name}`)
}
