import { existsSync, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { insidePath } from '../core/text/paths.ts'
import { systemErrorName } from '../core/text/system-errors.ts'

/** Asks a person whether a folder that contains more than a project may be the workspace. */
export type ConfirmWorkspace = (reason: string, workspace: string) => boolean | Promise<boolean>

/** Returns Haft's own folder as an absolute path, also if no home was given. */
export function homeOf(home: string | undefined): string {
  return resolve(home ?? join(homedir(), '.haft'))
}

/** Throws when Haft's own folder is missing and cannot be made because the system reports an existing folder as missing, as /proc does. Node's recursive mkdir would try that for ever; other reasons are reported where something is written. */
export function refuseEndlessHome(home: string): void {
  let missing = home
  while (!existsSync(dirname(missing))) missing = dirname(missing)
  if (existsSync(missing)) return
  try {
    mkdirSync(missing, { mode: 0o700 })
    rmdirSync(missing)
  } catch (thrown) {
    if (systemErrorName(thrown) === 'ENOENT')
      throw new Error(
        `Haft's own folder ${home} cannot be made: ${dirname(missing)} does not take new folders. Set HAFT_HOME (in a program, the option "home") to a folder that you can write to`,
      )
  }
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
  throw new Error(
    `${reason}. Choose a folder inside it. To let every tool work in all of it, answer yes when haft asks in a terminal; or add --yes to haft serve, or to haft call, run or plan, where it also approves every request; or pass confirmWorkspace: () => true in a program`,
  )
}

/** Returns why a folder contains more than a project, or undefined. */
export function whyTooWide(workspace: string, home: string): string | undefined {
  if (workspace === '/') return 'the workspace is the root folder of this machine'
  if (insidePath(workspace, homedir()) !== undefined) return `the workspace ${workspace} contains your home folder`
  if (insidePath(workspace, home) !== undefined) return `the workspace ${workspace} contains Haft's own folder ${home}`
  return undefined
}
