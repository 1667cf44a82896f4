import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A folder of programs for PATH. */
export interface Entry {
  readonly programs: string
  /** The folder that must be visible for them to work; undefined when it already is. */
  readonly folder?: string
}

/** Where versions are selected: the project and Haft's environment. */
export interface VersionContext {
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Returns the programs of an installed version: the exact one, else the newest with that prefix; empty when none is installed. */
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

/** Reads the first of these files found in the workspace, a folder above it, or the home folder. */
export function readNearest(names: readonly string[], { workspace, env }: VersionContext): string | undefined {
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

/** True for a folder that we may read. */
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

/** Lists a folder in version order; empty when it does not exist. */
export function listFolder(path: string): string[] {
  return isFolder(path) ? readdirSync(path).sort(new Intl.Collator('en', { numeric: true }).compare) : []
}

/** Reads a file as text; undefined when it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** True for a valid version name; never for a path. */
export function isVersionName(word: string): boolean {
  return /^[\w.+-]+$/.test(word) && !/^\.+$/.test(word)
}
