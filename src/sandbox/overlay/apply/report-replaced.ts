import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept, Replaced } from '../../../core/ports/files.ts'
import { errnoOf } from '../../../files/file-errors.ts'
import { hashOpen } from '../../../files/read/read-content.ts'
import { createIsAtOrBelow, lstatIfExists } from '../../../files/stat-path.ts'
import type { Step } from './step.ts'

/** The most bytes kept for undo of one run; further files are recorded without their bytes. */
export const ALL_KEPT = 256 * 1024 ** 2

/** Whose changes are applied, from which run folder to which workspace. */
export interface ApplyTarget {
  readonly workspace: string
  /** The run folder. */
  readonly run: string
  readonly call: string
  /** True when the run folder is on another file system than the workspace. */
  readonly apart: boolean
  /** The largest file kept for undo, in bytes. */
  readonly keptLimit: number
  replaced(record: Replaced): void
  replacedAll?(records: readonly Replaced[]): void
}

/** Reports what each step will replace, in order, before the first step is applied. */
export function reportReplaced(steps: readonly Step[], workspace: string, target: ApplyTarget): void {
  const batch = createBatch(target)
  let left = ALL_KEPT
  const keep = (path: string): Kept | null => {
    const kept = keepPath(join(workspace, path), Math.min(left, target.keptLimit))
    if (kept?.type === 'file') left -= kept.bytes?.length ?? 0
    return kept
  }
  const report = (path: string, before: Kept | null, after: string | null) =>
    batch.add({ call: target.call, path, before, after })
  const deleted = steps.filter(({ step }) => step === 'delete').map(({ path }) => path)
  const isGone = createIsAtOrBelow(deleted)
  const isInNewFolder = createNewFolderCheck(steps, workspace)
  const isNew = (path: string) => isInNewFolder(path) || isGone(path)
  for (const step of steps) {
    if (step.step === 'delete') for (const path of listDeepest(workspace, step.path)) report(path, keep(path), null)
    else if (step.step === 'folder') report(step.path, null, null)
    else if (step.step === 'tree') reportTree(join(target.run, step.from), step.path, report)
    else if (step.step === 'mode' && step.before !== null)
      report(step.path, { type: 'directory', mode: step.before }, 'folder')
    else if (step.step === 'put')
      report(step.path, isNew(step.path) ? null : keep(step.path), stateOfSource(join(target.run, step.from)))
  }
  batch.flush()
}

/** Reports a new folder and all that is in it, a folder before its entries. */
function reportTree(
  source: string,
  path: string,
  report: (path: string, before: null, after: string | null) => void,
): void {
  report(path, null, null)
  for (const entry of readdirSync(source, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [from, to] = [join(source, entry.name), `${path}/${entry.name}`]
    if (entry.isDirectory()) reportTree(from, to, report)
    else report(to, null, stateOfSource(from))
  }
}

/** Returns a function that tells whether a path is directly in a folder that the steps make and that is not there yet. */
function createNewFolderCheck(steps: readonly Step[], workspace: string): (path: string) => boolean {
  const made = new Set<string>()
  for (const { step, path } of steps)
    if (step === 'folder' && lstatIfExists(join(workspace, path)) === undefined) made.add(path)
  return (path) => made.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
}

/** How many records, and how many bytes of them, are reported at once. */
const BATCH_RECORDS = 1_000
const BATCH_BYTES = 16 * 1024 ** 2

interface Batch {
  add(record: Replaced): void
  flush(): void
}

/** Collects records, so that many are committed together. */
function createBatch({ replaced, replacedAll }: ApplyTarget): Batch {
  let records: Replaced[] = []
  let bytes = 0
  const flush = () => {
    if (records.length === 0) return
    if (replacedAll) replacedAll(records)
    else for (const record of records) replaced(record)
    records = []
    bytes = 0
  }
  return {
    flush,
    add(record) {
      records.push(record)
      if (record.before?.type === 'file') bytes += record.before.bytes?.length ?? 0
      if (records.length >= BATCH_RECORDS || bytes >= BATCH_BYTES) flush()
    },
  }
}

/** Lists a path and everything below it, the deepest first. */
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

/** Reads a file; null when this user may replace it but not read it. */
function readIfAllowed(path: string): Uint8Array | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return null
    throw error
  }
}

function stateOfSource(path: string): string {
  const file = openUnlessLink(path)
  if (file === undefined) return `link ${readlinkSync(path)}`
  try {
    return hashOpen(file)
  } finally {
    closeSync(file)
  }
}

function openUnlessLink(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') return undefined
    throw error
  }
}
