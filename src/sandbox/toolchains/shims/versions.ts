import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A folder of programs for PATH. */
export interface Entry {
  readonly programs: string
  /** What must be shown for them to work; undefined where it is shown already. */
  readonly folder?: string
}

/** Who chooses versions: the project, and the environment Haft was started in. */
export interface Choosing {
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The programs of an installed version: the very one, else the newest that starts so; none where it is not installed. */
export function findVersion(versions: string, wanted: string): Entry[] {
  const installed = listFolder(versions)
  const name =
    installed.find((one) => one === wanted || one === `v${wanted}`) ??
    installed.findLast((one) => wanted === 'latest' || one.startsWith(`${wanted}.`) || one.startsWith(`v${wanted}.`))
  const folder = name === undefined ? undefined : join(versions, name)
  if (folder === undefined || !isFolder(join(folder, 'bin'))) return []
  const real = realpathSync(folder)
  return [{ programs: join(real, 'bin'), folder: real }]
}

/** The first of these files that lies in the workspace or above it, or in the home, as text. */
export function readNearest(names: readonly string[], { workspace, env }: Choosing): string | undefined {
  const above: string[] = []
  for (let folder = workspace; ; folder = dirname(folder)) {
    above.push(folder)
    if (folder === dirname(folder)) break
  }
  const folders = env.HOME === undefined ? above : [...above, env.HOME]
  for (const folder of folders) {
    for (const name of names) {
      const text = readText(join(folder, name))
      if (text !== undefined) return text
    }
  }
  return undefined
}

/** True for a folder that we may look into. */
export function isFolder(path: string): boolean {
  return isProgram(path) && statSync(path).isDirectory()
}

/** True for a file that we may execute, or a folder that we may enter. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The names in a folder, versions in their order; none where there is no folder. */
export function listFolder(path: string): string[] {
  return isFolder(path) ? readdirSync(path).sort(new Intl.Collator('en', { numeric: true }).compare) : []
}

/** A file's text; undefined where it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** True for a word that can name a version, and never a path. */
export function isVersionName(word: string): boolean {
  return /^[\w.+-]+$/.test(word) && !/^\.+$/.test(word)
}
