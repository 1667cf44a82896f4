import { lstatSync, realpathSync, type Stats } from 'node:fs'
import type { ToolError } from '../core/call/result.ts'
import type { FileFacts, FileType, FindDeny } from '../core/ports/files.ts'
import { insidePath } from '../core/text/paths.ts'
import { below, type Descriptor } from './descriptor.ts'
import { refusePath } from './file-errors.ts'
import type { ChangedPath } from './repositories/check-git-changes.ts'
import type { GitEntry } from './repositories/harmless-paths.ts'

/** The workspace folder that file access is limited to. */
export interface WorkspaceRoot {
  /** Programs of the workspace that run outside the sandbox, relative to it. */
  ownPrograms?(): readonly string[]
  /** The path as it was given, possibly through a link. */
  readonly givenPath: string
  /** The path with links resolved. */
  readonly realPath: string
  /** The folders that were already swept of temporary files. */
  readonly swept: Set<string>
  /** Finds the rule that denies reading a path; without it everything may be read. */
  readonly findDeny?: FindDeny
  /** Keeps the folder of the last path open while many paths are worked on. */
  readonly folders?: FolderCache
  /** Decides what undo may restore in git folders; given while many paths are restored. */
  readonly restores?: RestoreGuard
  /** Where folders are moved to be removed later; without it they are removed at once. */
  readonly aside?: AsideFolders
}

/** Takes folders that are no longer needed, so that nobody waits until all their files are removed. */
export interface AsideFolders {
  /** Makes an empty folder outside the workspace, on its file system; undefined where that is not possible. */
  make(): string | undefined
  /** Removes such a folder and all that was moved there, in the background. */
  remove(path: string): void
}

/** Holds one open folder, so that neighbours need not open it again. */
export interface FolderCache {
  /** Returns the folder at a path, opened by `open` when it is not the last one. The cache closes it. */
  get(path: string, open: () => Descriptor): Descriptor
  /** Closes the folder: one was removed or made. */
  clear(): void
}

/** Tells whether undo may put something at a path, or remove what is there. */
export type RestoreGuard = (change: ChangedPath, kept: GitEntry | undefined) => boolean

/** The longest path that the system accepts. */
const PATH_LENGTH = 4_096

/** Opens a workspace; throws when it does not exist. */
export function openWorkspaceRoot(workspace: string): WorkspaceRoot {
  return { givenPath: workspace, realPath: realpathSync.native(workspace), swept: new Set() }
}

/** Normalizes a path relative to the workspace (`.` for itself) without reading any file. Refuses a path that cannot be inside. */
export function pathInside({ givenPath, realPath }: WorkspaceRoot, path: string): string {
  if (path === '')
    throw refusePath(path, 'is empty; a path relative to the workspace was expected, `.` for the workspace')
  if (path.includes('\0')) throw refusePath(path, 'contains a null character')
  if (!path.isWellFormed()) throw refusePath(path, 'contains a lone surrogate (half a character)')
  const inside = insidePath(givenPath, path) ?? insidePath(realPath, path)
  if (inside === undefined) throw refusePath(path, `is outside the workspace; paths are relative to ${givenPath}`)
  if (inside.length > PATH_LENGTH) throw refusePath(path, 'is longer than the system allows')
  return inside
}

/** True for a real path inside the workspace, or the workspace itself. */
export function isInside({ realPath }: WorkspaceRoot, where: string): boolean {
  return where === realPath || where.startsWith(realPath === '/' ? '/' : `${realPath}/`)
}

/** Returns a real path relative to the workspace. */
export function relativeTo({ realPath }: WorkspaceRoot, where: string): string {
  return where === realPath ? '.' : where.slice(realPath === '/' ? 1 : realPath.length + 1)
}

/** Returns the stats of an entry of an open folder, a link not followed; undefined when it does not exist. */
export function entryOf(folder: Descriptor, name: string): Stats | undefined {
  return lstatSync(below(folder, name), { throwIfNoEntry: false })
}

/** Makes the facts of a path from its stats. */
export function factsOf(path: string, type: FileType, stats: Stats): FileFacts {
  return { path, type, size: stats.size, modified: timeOf(stats) }
}

/** Returns the time of the last change as ISO 8601. The `mtime` of stats takes three times as long. */
export function timeOf({ mtimeMs }: Stats): string {
  return new Date(mtimeMs).toISOString()
}

/** Returns the type as listings show it; undefined for fifos, sockets and devices. */
export function typeOf(entry: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FileType | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'symlink' : undefined
}

/** Returns one error for every refused link, so that it never reveals what exists outside. */
export function refuseLink(path: string): ToolError {
  return refusePath(path, 'is or passes through a link that leads outside the workspace or nowhere')
}

/** Splits a path below the workspace into its folder and its name. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: slash < 0 ? '.' : path.slice(0, slash), name: path.slice(slash + 1) }
}

/** Joins a folder and a name. */
export function joinPath(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}
