import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { reasonOf, ToolError } from '../../core/call/result.ts'
import type { Log } from '../../core/ports/log.ts'
import { insidePath } from '../../core/text/paths.ts'
import { whyTooWide } from '../workspace.ts'

/** A folder that sessions have worked in. */
export interface KnownWorkspace {
  readonly workspace: string
  /** When it was last used, in milliseconds since 1970. */
  readonly lastAt: number
  readonly sessions: number
  readonly exists: boolean
}

/** The folders inside a folder, for a person who chooses a workspace. Files are never named. */
export interface FolderListing {
  readonly path: string
  /** The folder above; null for the root. */
  readonly parent: string | null
  readonly folders: readonly string[]
  /** True if there are more folders than are listed. */
  readonly isCut: boolean
  /** Why the folder itself is too wide for a workspace; null if it is not. */
  readonly problem: string | null
}

/** How many of the last sessions are searched for workspaces, and how many folders are listed. */
const SESSIONS = 1_000
const FOLDERS = 1_000

/** Lists the workspaces of the last sessions, the last used first. */
export async function listWorkspaces(log: Pick<Log, 'sessions'>): Promise<readonly KnownWorkspace[]> {
  const known = new Map<string, KnownWorkspace>()
  for (const { workspace, lastAt } of await log.sessions({ limit: SESSIONS })) {
    if (workspace === null) continue
    const before = known.get(workspace)
    const newest = Math.max(lastAt, before?.lastAt ?? 0)
    const exists = before?.exists ?? isFolder(workspace)
    known.set(workspace, { workspace, lastAt: newest, sessions: (before?.sessions ?? 0) + 1, exists })
  }
  return [...known.values()].sort((a, b) => b.lastAt - a.lastAt)
}

/** Lists the folders inside a folder, hidden ones left out. Throws ToolError where it is not a folder, cannot be read, or is Haft's own. */
export function listFolders(given: string | undefined, haftHome: string): FolderListing {
  const path = findFolder(resolve(given ?? homedir()))
  if (insidePath(haftHome, path) !== undefined)
    throw new ToolError('PERMISSION_DENIED', 'This is the folder of Haft itself; it cannot be a workspace.')
  const names = readNames(path)
    .filter((name) => !name.startsWith('.') && join(path, name) !== haftHome && isFolder(join(path, name)))
    .sort((a, b) => a.localeCompare(b, 'en'))
  return {
    path,
    parent: path === dirname(path) ? null : dirname(path),
    folders: names.slice(0, FOLDERS),
    isCut: names.length > FOLDERS,
    problem: whyTooWide(path, haftHome) ?? null,
  }
}

function findFolder(path: string): string {
  if (!isFolder(path)) throw new ToolError('FILE_NOT_FOUND', `There is no folder ${path}.`)
  return realpathSync(path)
}

function readNames(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (thrown) {
    throw new ToolError('PERMISSION_DENIED', `The folder ${path} cannot be read: ${reasonOf(thrown)}.`)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}
