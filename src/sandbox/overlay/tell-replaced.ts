import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept, Replaced } from '../../core/ports/files.ts'
import { errnoOf } from '../../files/file-errors.ts'
import { hashOpen } from '../../files/read/read-content.ts'
import { createIsBelow, lstatIfExists } from '../../files/stat-path.ts'
import type { Step } from './journal.ts'

/** How much one run may have kept for undo in all; what comes after is named without its bytes. */
const ALL_KEPT = 256 * 1024 ** 2

/** Tells, before the first step, what each will replace, in the order of the steps. */
export function tellReplaced(
  steps: readonly Step[],
  workspace: string,
  told: { call: string; run: string; keptLimit: number; replaced(record: Replaced): void },
): void {
  let left = ALL_KEPT
  const keep = (path: string): Kept | null => {
    const kept = keepPath(join(workspace, path), Math.min(left, told.keptLimit))
    if (kept?.type === 'file') left -= kept.bytes?.length ?? 0
    return kept
  }
  const tell = (path: string, before: Kept | null, after: string | null) =>
    told.replaced({ call: told.call, path, before, after })
  const deleted = steps.filter(({ step }) => step === 'delete').map(({ path }) => path)
  const isGone = createGone(deleted)
  for (const step of steps) {
    if (step.step === 'delete') for (const path of listDeepest(workspace, step.path)) tell(path, keep(path), null)
    else if (step.step === 'folder') tell(step.path, null, null)
    else if (step.step === 'mode' && step.before !== null)
      tell(step.path, { type: 'directory', mode: step.before }, 'folder')
    else if (step.step === 'put')
      tell(step.path, isGone(step.path) ? null : keep(step.path), stateOfSource(join(told.run, step.from)))
  }
}

/** True for a path that an earlier step takes away. */
function createGone(deleted: readonly string[]): (path: string) => boolean {
  const [known, isBelow] = [new Set(deleted), createIsBelow(deleted)]
  return (path) => known.has(path) || isBelow(path)
}

/** A path and all below it, what lies deepest first. */
function listDeepest(workspace: string, path: string): string[] {
  if (!lstatSync(join(workspace, path)).isDirectory()) return [path]
  const below = readdirSync(join(workspace, path))
    .sort()
    .flatMap((name) => listDeepest(workspace, `${path}/${name}`))
  return [...below, path]
}

function keepPath(path: string, limit: number): Kept | null {
  const stats = lstatIfExists(path)
  if (stats === undefined) return null
  const mode = stats.mode & 0o7777
  if (stats.isSymbolicLink()) return { type: 'symlink', target: readlinkSync(path) }
  if (stats.isDirectory()) return { type: 'directory', mode }
  return { type: 'file', mode, bytes: stats.isFile() && stats.size <= limit ? readIfAllowed(path) : null }
}

/** The bytes of a file; null where this user may not read it, though they may replace it. */
function readIfAllowed(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return null
    throw error
  }
}

function stateOfSource(path: string): string {
  if (lstatSync(path).isSymbolicLink()) return `link ${readlinkSync(path)}`
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return hashOpen(file)
  } finally {
    closeSync(file)
  }
}
