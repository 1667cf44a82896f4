import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Origin } from '../core/snapshot.ts'
import type { Settings } from '../settings/settings.ts'

/** A folder with tools of any language. */
export interface ToolFolder {
  readonly folder: string
  readonly origin: Origin
  /** Says why nothing of it may be loaded now; undefined where it may. To be called before each load. */
  refuse(): string | undefined
}

/** Where to look for tool folders. */
export interface FolderSurroundings {
  readonly haftHome: string
  /** The person's home folder. */
  readonly home: string
  readonly settings: Pick<Settings, 'toolsDirs'>
  /** The project's own folder, and whether a person trusts its present content. */
  readonly project: { readonly folder: string; isTrusted(): boolean }
}

/** The user's tool folders, then the project's. A folder need not exist yet. */
export function listToolFolders(around: FolderSurroundings): readonly ToolFolder[] {
  const { folder, isTrusted } = around.project
  const users = [...new Set(listUserFolders(around))].filter((one) => one !== folder)
  return [
    ...users.map((one): ToolFolder => ({ folder: one, origin: 'user', refuse: () => undefined })),
    { folder, origin: 'project', refuse: () => (isTrusted() ? undefined : UNTRUSTED) },
  ]
}

const UNTRUSTED =
  "a project's tools are loaded after you have trusted them, and these are new or have changed. Read them, then run haft trust"

function listUserFolders({ haftHome, home, settings }: FolderSurroundings): readonly string[] {
  if (settings.toolsDirs) return settings.toolsDirs.map((given) => resolve(haftHome, given.replace(/^~(?=\/|$)/, home)))
  const others = join(home, '.copilot-web/tools')
  return [join(haftHome, 'tools'), ...(existsSync(others) ? [others] : [])]
}
