import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { insidePath } from '../core/text/paths.ts'

/** Asks a person whether a folder that holds more than a project may be worked in. */
export type ConfirmWorkspace = (reason: string) => boolean | Promise<boolean>

/** Haft's own folder as an absolute path, also where nothing is read from it or kept in it. */
export function homeOf(home: string | undefined): string {
  return resolve(home ?? join(homedir(), '.haft'))
}

/** The real path of the workspace. Throws where it is no folder, or holds too much and nobody confirmed it. */
export async function findWorkspace(
  given: string,
  home: string,
  confirm: ConfirmWorkspace = () => false,
): Promise<string> {
  const path = resolve(given)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`the workspace ${path} is no folder; expected an existing folder`)
  }
  const workspace = realpathSync(path)
  const reason = whyTooWide(workspace, home)
  if (reason === undefined || (await confirm(reason))) return workspace
  throw new Error(`${reason}. Choose a folder inside it, or confirm that every tool may work in all of it`)
}

/** Why a folder is more than a project, or undefined. */
function whyTooWide(workspace: string, home: string): string | undefined {
  if (workspace === '/') return 'the workspace is the whole machine'
  if (insidePath(workspace, homedir()) !== undefined) return `the workspace ${workspace} holds your home folder`
  if (insidePath(workspace, home) !== undefined) return `the workspace ${workspace} holds Haft's own folder ${home}`
  return undefined
}
