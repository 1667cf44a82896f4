import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Origin } from '../core/tool/snapshot.ts'
import type { GivenSettings } from '../settings/settings.ts'

/** A folder with tools of any language. */
export interface ToolFolder {
  readonly folder: string
  readonly origin: Extract<Origin, 'user' | 'project'>
}

/** Where to look for tool folders. */
export interface FolderSurroundings {
  readonly haftHome: string
  /** The person's home folder. */
  readonly home: string
  readonly settings: Partial<Pick<GivenSettings, 'toolsDirs'>>
  /** The project's own folder, where it has tools; trust is to be asked for before each load. */
  readonly project: string | undefined
}

/** The user's tool folders, each once, in the order in which they keep a name, then the project's. The user's need not exist yet. */
export function listToolFolders(around: FolderSurroundings): readonly ToolFolder[] {
  const { project } = around
  const users = new Map(listUserFolders(around).map((folder) => [realPath(folder), folder]))
  if (project !== undefined) users.delete(realPath(project))
  return [
    ...[...users.values()].map((folder): ToolFolder => ({ folder, origin: 'user' })),
    ...(project === undefined ? [] : [{ folder: project, origin: 'project' } as const]),
  ]
}

/** Haft's own, that of the first document where it is there, and those of the settings, which may be relative to Haft's own folder. */
function listUserFolders({ haftHome, home, settings: { toolsDirs = [] } }: FolderSurroundings): readonly string[] {
  const shared = join(home, '.copilot-web/tools')
  const given = toolsDirs.map((folder) => resolve(haftHome, folder.replace(/^~(?=\/|$)/, home)))
  return [join(haftHome, 'tools'), ...(existsSync(shared) ? [shared] : []), ...given]
}

function realPath(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder
}
