import { lstatSync, realpathSync, type Stats } from 'node:fs'
import type { ToolError } from '../core/call/result.ts'
import type { FileFacts, FileType, FindDeny } from '../core/ports/files.ts'
import { insidePath } from '../core/text/paths.ts'
import { below, type Descriptor } from './descriptor.ts'
import { refusePath } from './file-errors.ts'

/** The folder that the door guards. */
export interface Space {
  /** As it was given, maybe through a link. */
  readonly given: string
  /** Where it really lies. */
  readonly root: string
  /** The folders where what dead processes left was looked for. */
  readonly swept: Set<string>
  /** Says which rule denies reading a path; everything may be read when left out. */
  readonly findDeny?: FindDeny
}

/** The longest path the system takes. */
const PATH_LENGTH = 4_096

/** The workspace at a path; throws when there is none. */
export function openSpace(workspace: string): Space {
  return { given: workspace, root: realpathSync.native(workspace), swept: new Set() }
}

/** A path's words, relative to the workspace (`.` for itself). Looks at no file; refuses what cannot be a path inside. */
export function pathInside({ given, root }: Space, path: string): string {
  if (path === '')
    throw refusePath(path, 'is empty; a path relative to the workspace was expected, `.` for the workspace')
  if (path.includes('\0')) throw refusePath(path, 'contains a null character')
  if (!path.isWellFormed()) throw refusePath(path, 'contains half a character (a lone surrogate)')
  const inside = insidePath(given, path) ?? insidePath(root, path)
  if (inside === undefined) throw refusePath(path, `lies outside the workspace; paths are relative to ${given}`)
  if (inside.length > PATH_LENGTH) throw refusePath(path, 'is longer than the system takes')
  return inside
}

/** True for a real path inside the workspace, itself included. */
export function isInside({ root }: Space, where: string): boolean {
  return where === root || where.startsWith(root === '/' ? '/' : `${root}/`)
}

/** Where a descriptor lies, relative to the workspace. */
export function relativeTo({ root }: Space, where: string): string {
  return where === root ? '.' : where.slice(root === '/' ? 1 : root.length + 1)
}

/** An entry of an open folder, a link not followed; undefined when there is none. */
export function entryOf(folder: Descriptor, name: string): Stats | undefined {
  return lstatSync(below(folder, name), { throwIfNoEntry: false })
}

/** The facts that stats tell of a path. */
export function factsOf(path: string, type: FileType, stats: Stats): FileFacts {
  return { path, type, size: stats.size, modified: timeOf(stats) }
}

/** When it was changed, as ISO 8601. The `mtime` of stats costs three times as much. */
export function timeOf({ mtimeMs }: Stats): string {
  return new Date(mtimeMs).toISOString()
}

/** What a listing calls it; undefined for fifos, sockets and devices. */
export function typeOf(entry: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FileType | undefined {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'symlink' : undefined
}

/** One text for every link that may not be followed, so that an answer never tells what exists outside. */
export function refuseLink(path: string): ToolError {
  return refusePath(path, 'is or passes through a link that leads outside the workspace or nowhere')
}

/** Splits a path below the workspace into its folder and its name. */
export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: slash < 0 ? '.' : path.slice(0, slash), name: path.slice(slash + 1) }
}

/** A path below another one. */
export function joinPath(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}
