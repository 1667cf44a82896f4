import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insidePath } from '../../core/text/paths.ts'
import { canReach, type Owner } from '../owner.ts'
import { resolveEnvShims } from './shims/env-shims.ts'
import { resolveInstallShims } from './shims/install-shims.ts'
import { resolveRustupShims } from './shims/rustup-shims.ts'
import { type Entry, isFolder, isProgram } from './shims/versions.ts'
import { resolveVoltaShims } from './shims/volta-shims.ts'

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

function resolveEntry(entry: string, around: Surroundings): Entry[] {
  const real = realpathSync(entry)
  if (SYSTEM_FOLDERS.some((folder) => insidePath(folder, real) !== undefined)) return [{ programs: entry }]
  if (insidePath(around.workspace, real) !== undefined) return [{ programs: entry }]
  const parent = dirname(real)
  const behind = resolveShims(real, around)
  if (behind !== undefined) return behind.filter(({ programs }) => canReach(around.owner, programs))
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

/** The real folders behind the shims of a version manager, as far as its layout tells; undefined for other folders. */
function resolveShims(real: string, around: Surroundings): Entry[] | undefined {
  const root = dirname(real)
  if (basename(real) === 'shims')
    return isFolder(join(root, 'installs')) ? resolveInstallShims(root, around) : resolveEnvShims(root, around)
  if (basename(real) === 'bin' && isFolder(join(root, 'tools/image'))) return resolveVoltaShims(root, around)
  if (!isProgram(join(real, 'rustup'))) return undefined
  return [...resolveRustupShims(around), ...(isBelowHome(real, around) ? [{ programs: real, folder: real }] : [])]
}
