import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insidePath } from '../core/paths.ts'
import { canReach, type Owner } from './owner.ts'

/** Folders of the system that every sandbox shows, read-only. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
]

/** The programs a sandbox offers. */
export interface Toolchains {
  /** Folders outside the system's that are shown read-only. */
  readonly folders: readonly string[]
  /** PATH inside, in the order of the PATH outside. */
  readonly path: readonly string[]
  /** The interpreter that `python3` and `python` mean. */
  readonly python: string | undefined
}

/** Where to look. */
export interface Surroundings {
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** As whom programs run: what they cannot reach is not offered. */
  readonly owner: Owner
}

/** Follows PATH to the real folders of its programs; shims of version managers are resolved to the version they choose. */
export function findToolchains(around: Surroundings): Toolchains {
  const entries = (around.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/') && isFolder(folder) && canReach(around.owner, realpathSync(folder)))
  const found = entries.flatMap((entry) => resolveEntry(entry, around))
  const path = [...new Set([...found.map(({ programs }) => programs), '/usr/local/bin', '/usr/bin', '/bin'])]
  const folders = found.flatMap(({ folder }) => folder ?? [])
  const python = path.map((folder) => join(folder, 'python3')).find(isProgram)
  return { folders: [...new Set(folders)], path, python }
}

interface Entry {
  readonly programs: string
  /** What must be shown for them to work; undefined where it is shown already. */
  readonly folder?: string
}

function resolveEntry(entry: string, around: Surroundings): Entry[] {
  const real = realpathSync(entry)
  if (SYSTEM_FOLDERS.some((folder) => insidePath(folder, real) !== undefined)) return [{ programs: entry }]
  if (insidePath(around.workspace, real) !== undefined) return [{ programs: entry }]
  const parent = dirname(real)
  if (basename(real) === 'shims') return resolveShims(parent, around)
  if (basename(real) === 'bin' && isPrefix(parent, around)) return [{ programs: real, folder: parent }]
  return isBelowHome(real, around) ? [{ programs: real, folder: real }] : []
}

/** A folder that holds one installed thing: `bin` with `lib` beside it, and not a home or the shared `~/.local`. */
function isPrefix(folder: string, { env }: Surroundings): boolean {
  const shared = [env.HOME, join(env.HOME ?? '/', '.local'), '/']
  return isFolder(join(folder, 'lib')) && !shared.includes(folder)
}

function isBelowHome(folder: string, { env }: Surroundings): boolean {
  const home = env.HOME ?? '/'
  const inside = home === '/' ? undefined : insidePath(home, folder)
  return inside !== undefined && inside !== '.' && !inside.startsWith('.haft')
}

/** pyenv, rbenv, nodenv and their like: `versions/NAME/bin` of each version that is chosen. */
function resolveShims(root: string, around: Surroundings): Entry[] {
  const versions = join(root, 'versions')
  const installed = listFolder(versions)
  return chosenVersions(root, around).flatMap((wanted) => {
    const name = installed.includes(wanted) ? wanted : installed.findLast((one) => one.startsWith(`${wanted}.`))
    const folder = name === undefined ? undefined : join(versions, name)
    return folder !== undefined && isFolder(join(folder, 'bin')) ? [{ programs: join(folder, 'bin'), folder }] : []
  })
}

function chosenVersions(root: string, { workspace, env }: Surroundings): string[] {
  const tool = /^\.?(.+)env$/.exec(basename(root))?.[1] ?? ''
  const named = env[`${tool.toUpperCase()}ENV_VERSION`]?.replaceAll(':', '\n')
  const language = tool === 'py' ? 'python' : tool === 'rb' ? 'ruby' : tool
  const text = named ?? readText(join(workspace, `.${language}-version`)) ?? readText(join(root, 'version')) ?? ''
  return text.split(/\s+/).filter((word) => word !== '' && !word.includes('/') && word !== '..')
}

/** True for a folder that we may look into. */
function isFolder(path: string): boolean {
  return isProgram(path) && statSync(path).isDirectory()
}

/** True for a file that we may execute, or a folder that we may enter. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function listFolder(path: string): string[] {
  return isFolder(path) ? readdirSync(path).sort(new Intl.Collator('en', { numeric: true }).compare) : []
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
