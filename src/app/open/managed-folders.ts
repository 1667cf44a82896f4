import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Log } from '../../core/ports/log.ts'
import { insidePath } from '../../core/text/paths.ts'
import { addManagedFolder, removeManagedFolder } from '../../settings/managed/managed-folders.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'
import { listWorkspaces } from '../overview/workspaces.ts'
import { listToolFolders } from '../tool-folders.ts'
import { homeOf, whyTooWide } from '../workspace.ts'
import type { LiveSettings } from './live-settings.ts'

/** A folder with tools of the person's own. */
export interface ListedToolFolder {
  readonly path: string
  /** Where it is named: a settings file, or `default` for Haft's own and that of the first document. */
  readonly from: string
  /** True if it was added by a page and can be removed by one. */
  readonly isManaged: boolean
  readonly exists: boolean
}

/** The folders with tools of the person's own. */
export interface ToolFolders {
  /** The folders of the settings, as they are written there. */
  given(): readonly string[]
  list(): readonly ListedToolFolder[]
  /** Adds a folder. `workspaces` are further folders that models work in. Rejects with ToolError where it is not a folder, or where a model could change its tools. Hosts that are opened from now on have it. */
  add(path: string, workspaces?: readonly string[]): Promise<string>
  /** Removes a folder that was added; false where there is none. */
  remove(path: string): Promise<boolean>
}

/** What the folders of a home are made of. */
export interface FoldersParts {
  readonly home: string | undefined
  readonly live: Pick<LiveSettings, 'added' | 'refresh'>
  readonly user: SettingsFile | undefined
  readonly log: Pick<Log, 'sessions'>
}

/** Opens the tool folders of a home. */
export function openManagedFolders({ home, live, user, log }: FoldersParts): ToolFolders {
  const added = (): readonly string[] => live.added()?.given.toolsDirs ?? []
  const own = user?.given.toolsDirs ?? []
  const haftHome = homeOf(home)
  const given = () => [...added(), ...own]
  const pathOf = (folder: string) => resolve(haftHome, folder.replace(/^~(?=\/|$)/, homedir()))
  const [addedPaths, ownPaths] = [() => added().map(pathOf), own.map(pathOf)]
  return {
    given,
    list: () =>
      listToolFolders({ haftHome, home: homedir(), settings: { toolsDirs: given() }, project: undefined }).map(
        ({ folder: path }) => {
          const isManaged = addedPaths().includes(path)
          const file = isManaged ? live.added()?.path : ownPaths.includes(path) ? user?.path : undefined
          return { path, from: file ?? 'default', isManaged, exists: existsSync(path) }
        },
      ),
    async add(path, workspaces = []) {
      if (home === undefined)
        throw new ToolError('UNAVAILABLE', 'Tool folders are stored in HAFT_HOME, but Haft was opened without one.')
      const folder = findFolder(path)
      const known = [...workspaces, ...(await listWorkspaces(log)).map(({ workspace }) => workspace)]
      const problem =
        whyTooWide(folder, haftHome)?.replace(/^the workspace/, 'The folder') ?? whyChangeable(folder, known)
      if (problem !== undefined) throw new ToolError('INVALID_ARGUMENTS', problem)
      await addManagedFolder(home, folder)
      live.refresh()
      return folder
    },
    async remove(path) {
      const folder = added().find((one) => one === path || pathOf(one) === path)
      if (home === undefined || folder === undefined) return false
      await removeManagedFolder(home, folder)
      live.refresh()
      return true
    },
  }
}

function findFolder(path: string): string {
  if (!isAbsolute(path) || path.includes('\0'))
    throw new ToolError('INVALID_ARGUMENTS', 'The path of the folder must be absolute.')
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ToolError('FILE_NOT_FOUND', `There is no folder ${path}.`)
  return realpathSync(path)
}

/** Tools run with all rights of the person, so that a model must not be able to write them. */
function whyChangeable(folder: string, workspaces: readonly string[]): string | undefined {
  const workspace = workspaces.find(
    (one) => insidePath(one, folder) !== undefined || insidePath(folder, one) !== undefined,
  )
  if (workspace === undefined) return undefined
  return `${folder} and the workspace ${workspace} share files, so a model could change the tools, which run with all of your rights. Choose a folder outside of every workspace; tools of a project belong into its .haft/tools.`
}
