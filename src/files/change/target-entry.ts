import { constants, mkdirSync, type Stats } from 'node:fs'
import { ToolError } from '../../core/call/result.ts'
import type { Kept } from '../../core/ports/files.ts'
import { below, type Descriptor, openToLook } from '../descriptor.ts'
import { explainMissing } from '../explain-missing.ts'
import { conflict, errnoOf, explainErrno, refusePath } from '../file-errors.ts'
import { openFolder, openInside } from '../open-inside.ts'
import { createRestoreGuard } from '../repositories/check-git-changes.ts'
import { findGitDanger } from '../repositories/git-danger.ts'
import type { GitEntry } from '../repositories/harmless-paths.ts'
import { isOfNewRepository } from '../repositories/new-repository.ts'
import { isHaftName, protectedPart } from '../repositories/protected-paths.ts'
import {
  entryOf,
  isInside,
  joinPath,
  pathInside,
  refuseLink,
  relativeTo,
  splitPath,
  type WorkspaceRoot,
} from '../workspace-root.ts'

/** An entry of an open folder inside the workspace, existing or not. Every change goes through one. */
export interface TargetEntry extends Disposable {
  readonly folder: Descriptor
  readonly name: string
  /** The real path, relative to the workspace. */
  readonly path: string
  /** The stats of the entry itself, a link not followed; undefined when it does not exist. */
  readonly stats: Stats | undefined
}

/** Called with the path of each missing folder right before it is created. */
export type ReportFolder = (path: string) => void

/** Opens an entry without following a link. Undefined when its folder is missing and is not created. */
export function openEntry(root: WorkspaceRoot, given: string, reportFolder?: ReportFolder): TargetEntry | undefined {
  refuseProtected(root, pathInside(root, given), given)
  return openGuarded(root, given, { reportFolder, guard: ({ path }) => refuseProtected(root, path, given) })
}

/** Opens an entry that an earlier call may have created, including what `git init` creates in a repository. For reading and removing only. */
export function openCreatedEntry(root: WorkspaceRoot, given: string): TargetEntry | undefined {
  return openGuarded(root, given, {
    reportFolder: undefined,
    guard: (entry) =>
      isOfNewRepository(entry.path, entry.at) ||
      isRestorable(root, entry, null) ||
      refuseProtected(root, entry.path, given),
  })
}

/** Opens an entry to compare it with what a call left; also in a git folder. For reading only. */
export function openLeftEntry(root: WorkspaceRoot, given: string): TargetEntry | undefined {
  return openGuarded(root, given, {
    reportFolder: undefined,
    guard: ({ path }) => path.split('/').some(isHaftName) && refuseProtected(root, path, given),
  })
}

/** Opens an entry to restore; in a git folder only what makes git run nothing else. */
export function openRestoredEntry(root: WorkspaceRoot, given: string, kept: Kept): TargetEntry | undefined {
  return openGuarded(root, given, {
    reportFolder: undefined,
    guard: (entry) => isRestorable(root, entry, kept) || refuseProtected(root, entry.path, given),
  })
}

function isRestorable({ realPath, restores }: WorkspaceRoot, { path, stats }: Guarded, kept: Kept | null): boolean {
  if (path.split('/').some(isHaftName)) return false
  const isLeaf = stats?.isDirectory() !== true && kept?.type !== 'directory'
  const isHarmless = restores ?? createRestoreGuard(realPath)
  return isHarmless({ path, isLeaf }, kept === null ? undefined : entryOfKept(kept))
}

function entryOfKept(kept: Kept): GitEntry {
  const nothing = { text: () => '', bytes: () => undefined }
  if (kept.type === 'symlink') return { type: 'link', ...nothing }
  if (kept.type === 'directory') return { type: 'folder', ...nothing }
  const bytes = () => kept.bytes ?? undefined
  return { type: 'file', text: () => Buffer.from(kept.bytes ?? Buffer.of(0)).toString('utf8'), bytes }
}

/** An entry whose path is checked. */
interface Guarded {
  /** The real path, relative to the workspace. */
  readonly path: string
  /** Where to read it. */
  readonly at: string
  readonly stats: Stats | undefined
}

interface Guarding {
  readonly reportFolder: ReportFolder | undefined
  /** Throws when the path may not be changed. */
  guard(entry: Guarded): unknown
}

function openGuarded(root: WorkspaceRoot, given: string, { reportFolder, guard }: Guarding): TargetEntry | undefined {
  const path = pathInside(root, given)
  if (path === '.') throw refusePath(given, 'is the workspace itself')
  const { folder, name } = splitPath(path)
  const descriptor = openParent(root, folder, reportFolder)
  if (descriptor === undefined) return undefined
  try {
    const real = joinPath(relativeTo(root, descriptor.where), name)
    const stats = entryOf(descriptor, name)
    guard({ path: real, at: below(descriptor, name), stats })
    return { folder: descriptor, name, path: real, stats, [Symbol.dispose]: () => descriptor[Symbol.dispose]() }
  } catch (error) {
    descriptor[Symbol.dispose]()
    throw explainErrno(error, given)
  }
}

/** Opens the entry that a write changes: a link is followed as long as its target is inside the workspace. */
export function openWriteTarget(
  root: WorkspaceRoot,
  given: string,
  reportFolder?: ReportFolder,
): TargetEntry | undefined {
  const entry = openEntry(root, given, reportFolder)
  if (!entry?.stats?.isSymbolicLink()) return entry
  entry[Symbol.dispose]()
  using end = openInside(root, pathInside(root, given))
  const target = openEntry(root, joinPath('.', relativeTo(root, end.where)))
  if (target?.stats && !target.stats.isSymbolicLink()) return target
  target?.[Symbol.dispose]()
  throw conflict(given, 'changed while it was read.', 'CHANGED')
}

function refuseProtected({ realPath }: WorkspaceRoot, path: string, given: string): void {
  const part = protectedPart(path) ?? findGitDanger(realPath, path)
  if (part !== undefined) {
    throw refusePath(given, `may not be changed: ${part} is protected because programs outside the workspace trust it`)
  }
}

function openParent(root: WorkspaceRoot, path: string, reportFolder: ReportFolder | undefined): Descriptor | undefined {
  try {
    return root.folders?.get(path, () => openFolder(root, path)) ?? openFolder(root, path)
  } catch (error) {
    if (!isMissing(error)) throw error
    return reportFolder ? makeFolders(root, path, reportFolder) : undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'FILE_NOT_FOUND'
}

/** Opens a folder part by part, each through the descriptor of its parent, and creates missing ones. */
function makeFolders(root: WorkspaceRoot, path: string, reportFolder: ReportFolder): Descriptor {
  let folder = openFolder(root, '.')
  for (const name of path.split('/')) {
    const parent = folder
    try {
      folder = openOrMake(root, parent, { name, path, reportFolder })
    } finally {
      parent[Symbol.dispose]()
    }
  }
  return folder
}

function openOrMake(
  root: WorkspaceRoot,
  parent: Descriptor,
  { name, path, reportFolder }: { name: string; path: string; reportFolder: ReportFolder },
): Descriptor {
  const real = joinPath(relativeTo(root, parent.where), name)
  try {
    if (entryOf(parent, name) === undefined) {
      refuseProtected(root, real, path)
      reportFolder(real)
      mkdirSync(below(parent, name))
    }
    const folder = openToLook(below(parent, name), constants.O_DIRECTORY)
    if (isInside(root, folder.where)) return folder
    folder[Symbol.dispose]()
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? refuseLink(path) : explainErrno(error, path)
  }
  throw refuseLink(path)
}

/** Returns the real path that a new entry would have, checked as far as its folders exist. For an entry that `openEntry` could not open. */
export function checkNewPath(root: WorkspaceRoot, given: string): string {
  const path = pathInside(root, given)
  for (let { folder, name: rest } = splitPath(path); ; ) {
    try {
      using descriptor = openFolder(root, folder)
      const real = joinPath(relativeTo(root, descriptor.where), rest)
      refuseProtected(root, real, given)
      return real
    } catch (error) {
      if (!isMissing(error)) throw error
      const above = splitPath(folder)
      rest = `${above.name}/${rest}`
      folder = above.folder
    }
  }
}

/** Returns the error for an entry that does not exist. */
export function missingEntry(root: WorkspaceRoot, given: string): unknown {
  return explainMissing(root, pathInside(root, given))
}
