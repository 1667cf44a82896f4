import { constants, readdirSync, type Stats } from 'node:fs'
import type { Kept, Replaced, RestoredEntry } from '../../core/ports/files.ts'
import { openToLook, pathOf } from '../descriptor.ts'
import { explainErrno } from '../file-errors.ts'
import { createFolderCache } from '../folder-cache.ts'
import { createRestoreGuard } from '../repositories/check-git-changes.ts'
import { pathInside, splitPath, type WorkspaceRoot } from '../workspace-root.ts'
import type { Change } from './change.ts'
import { changedMeanwhile, createEntryRemover, type EntryRemover } from './entry-remover.ts'
import { openToRestore, planRestore, type RestorePlan, runRestore, stateAfter } from './restore-entry.ts'
import { sweepFolder } from './sweep-folder.ts'

/** How many entries, and how many bytes of them, are recorded in one commit. */
const BATCH_ENTRIES = 1_000
const BATCH_BYTES = 16 * 1024 ** 2

/** The names that make a folder a repository, or count in one: such an entry is a batch of its own, so that every check sees the repositories as they are. */
const GIT_PARTS: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs', 'commondir', 'config', 'hooks', '.git'])

/** Restores entries in order, in batches: each batch is recorded in one commit before its first change. Returns the folders that stayed because they are not empty. */
export function restoreAll(root: WorkspaceRoot, change: Change, entries: readonly RestoredEntry[]): string[] {
  using folders = createFolderCache()
  using remover = createEntryRemover(root, entries.length)
  const open = () => new Batch({ ...root, folders, restores: createRestoreGuard(root.realPath) }, change, remover)
  const stayed: string[] = []
  let batch = open()
  for (const entry of entries) {
    if (!batch.canTake(entry.path)) {
      batch.run()
      batch = open()
    }
    if (!batch.add(entry)) stayed.push(entry.path)
  }
  batch.run()
  return stayed
}

interface Planned {
  readonly given: string
  /** Relative to the workspace, links resolved. */
  readonly path: string
  readonly kept: Kept | null
  /** What was there when the batch was recorded. */
  readonly stats: Stats | undefined
}

/** Entries that are recorded together. */
class Batch {
  readonly #root: WorkspaceRoot
  readonly #change: Change
  readonly #remover: EntryRemover
  readonly #planned = new Map<string, Planned>()
  readonly #records: Replaced[] = []
  /** How many entries of a folder this batch removes; NaN where it adds one. */
  readonly #removed = new Map<string, number>()
  #bytes = 0
  #isAlone = false

  constructor(root: WorkspaceRoot, change: Change, remover: EntryRemover) {
    this.#root = root
    this.#change = change
    this.#remover = remover
  }

  /** False for a path that must be looked at after the changes of this batch. */
  canTake(given: string): boolean {
    const path = pathInside(this.#root, given)
    const { folder, name } = splitPath(path)
    if (this.#planned.size === 0) return true
    if (this.#isAlone || GIT_PARTS.has(name) || this.#planned.has(path)) return false
    const parent = this.#planned.get(folder)
    if (parent !== undefined && !isNewFolder(parent)) return false
    return this.#planned.size < BATCH_ENTRIES && this.#bytes < BATCH_BYTES
  }

  /** Plans one entry; false for a folder that is not empty and therefore stays. */
  add({ path: given, kept }: RestoredEntry): boolean {
    const path = pathInside(this.#root, given)
    const { folder, name } = splitPath(path)
    const parent = this.#planned.get(folder)
    const plan = parent ? planNew(`${parent.path}/${name}`, kept) : this.#plan(given, kept)
    if (kept === null && plan.stats?.isDirectory() && !this.#willBeEmpty(path, plan)) return false
    this.#isAlone = GIT_PARTS.has(name)
    this.#planned.set(path, { given, path: plan.record?.path ?? path, kept, stats: plan.stats })
    this.#removed.set(folder, (this.#removed.get(folder) ?? 0) + (kept === null ? 1 : Number.NaN))
    if (plan.record) this.#records.push({ ...plan.record, call: this.#change.call.id })
    this.#bytes += sizeOf(kept) + sizeOf(plan.record?.before ?? null)
    return true
  }

  /** Records all entries and then restores them. */
  run(): void {
    const { replaced, replacedAll, call } = this.#change
    if (this.#planned.size === 0) return
    call.signal.throwIfAborted()
    if (replacedAll) replacedAll(this.#records)
    else for (const record of this.#records) replaced(record)
    const removed = findRemovedFolders(this.#planned)
    for (const [path, planned] of this.#planned) {
      const files = removed.get(path)
      if (files !== undefined) this.#removeFolder(planned, files)
      else if (!isRemovedLeaf(planned) || !removed.has(splitPath(path).folder)) this.#restore(planned)
    }
  }

  /** Removes a folder together with its files: all at once where that is possible, else one by one. */
  #removeFolder(planned: Planned, files: ReadonlyMap<string, Planned>): void {
    const { given, stats } = planned
    if (this.#remover.isReady()) {
      using entry = openToRestore(this.#root, given, null)
      if (!isSame(entry.stats, stats)) throw changedMeanwhile(given)
      const holds = (name: string, now: Stats) => files.has(name) && isSame(now, files.get(name)?.stats)
      const isRemoved = this.#remover.remove(entry, { given, count: files.size, holds })
      // The folder that is open may be the one that was moved.
      this.#root.folders?.clear()
      if (isRemoved) return
    }
    for (const file of files.values()) this.#restore(file)
    this.#restore(planned)
  }

  #restore({ given, kept, stats }: Planned): void {
    using entry = openToRestore(this.#root, given, kept)
    if (!isSame(entry.stats, stats)) throw changedMeanwhile(given)
    try {
      if (kept === null && stats?.isFile() && this.#remover.remove(entry)) return
      if (kept?.type === 'file' && stats?.isFile()) this.#remover.hold(entry)
      runRestore(this.#root, entry, kept, this.#remover.put)
    } catch (error) {
      throw explainErrno(error, given)
    }
    if (stats?.isDirectory() || kept?.type === 'directory') this.#root.folders?.clear()
  }

  #plan(given: string, kept: Kept | null): RestorePlan {
    using entry = openToRestore(this.#root, given, kept)
    return planRestore(this.#change, entry, kept)
  }

  /** What a dead process left in the folder is removed first. */
  #willBeEmpty(path: string, { where }: RestorePlan): boolean {
    using folder = openToLook(where, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    sweepFolder(this.#root, folder)
    return readdirSync(pathOf(folder)).length === (this.#removed.get(path) ?? 0)
  }
}

/** Returns the folders that a batch removes together with files in them, and those files by name. */
function findRemovedFolders(planned: ReadonlyMap<string, Planned>): ReadonlyMap<string, ReadonlyMap<string, Planned>> {
  const found = new Map<string, Map<string, Planned>>()
  for (const [path, entry] of planned) {
    const { folder, name } = splitPath(path)
    const parent = planned.get(folder)
    if (!isRemovedLeaf(entry) || parent?.kept !== null || !parent.stats?.isDirectory()) continue
    const files = found.get(folder) ?? new Map<string, Planned>()
    found.set(folder, files.set(name, entry))
  }
  return found
}

const isRemovedLeaf = ({ kept, stats }: Planned): boolean => kept === null && stats?.isDirectory() === false

/** Plans an entry of a folder that the batch itself makes. */
function planNew(path: string, kept: Kept | null): RestorePlan {
  return { stats: undefined, where: path, record: { path, before: null, after: stateAfter(kept) } }
}

function isNewFolder({ kept, stats }: Planned): boolean {
  return kept?.type === 'directory' && stats === undefined
}

function sizeOf(kept: Kept | null): number {
  return kept?.type === 'file' ? (kept.bytes?.length ?? 0) : 0
}

/** True when an entry is still what was recorded. The times of a folder change with its entries. */
function isSame(now: Stats | undefined, then: Stats | undefined): boolean {
  if (now === undefined || then === undefined) return now === then
  if (now.ino !== then.ino) return false
  return now.isDirectory() || (now.size === then.size && now.ctimeMs === then.ctimeMs)
}
