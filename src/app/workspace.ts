import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { insidePath } from '../core/text/paths.ts'

/** Asks a person whether a folder that contains more than a project may be the workspace. */
export type ConfirmWorkspace = (reason: string, workspace: string) => boolean | Promise<boolean>

/** Returns Haft's own folder as an absolute path, also if no home was given. */
export function homeOf(home: string | undefined): string {
  return resolve(home ?? join(homedir(), '.haft'))
}

/** Resolves to the real path of the workspace. Rejects if it is not a folder, or is too wide and nobody confirmed it. */
export async function findWorkspace(
  given: string,
  home: string,
  confirm: ConfirmWorkspace = () => false,
): Promise<string> {
  const path = resolve(given)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`the workspace ${path} does not exist or is not a folder`)
  }
  const workspace = realpathSync(path)
  const reason = whyTooWide(workspace, home)
  if (reason === undefined || (await confirm(reason, workspace))) return workspace
  throw new Error(`${reason}. Choose a folder inside it, or confirm that every tool may work in all of it`)
}

/** Returns why a folder contains more than a project, or undefined. */
export function whyTooWide(workspace: string, home: string): string | undefined {
  if (workspace === '/') return 'the workspace is the root folder of this machine'
  if (insidePath(workspace, homedir()) !== undefined) return `the workspace ${workspace} contains your home folder`
  if (insidePath(workspace, home) !== undefined) return `the workspace ${workspace} contains Haft's own folder ${home}`
  return undefined
}
