import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insidePath } from '../../core/text/paths.ts'
import { canReach, type Owner } from '../owner.ts'
import { resolveEnvShims } from './shims/env-shims.ts'
import { resolveInstallShims } from './shims/install-shims.ts'
import { resolveRustupShims } from './shims/rustup-shims.ts'
import { type Entry, isFolder, isProgram, type VersionContext } from './shims/versions.ts'
import { resolveVoltaShims } from './shims/volta-shims.ts'

/** The system folders that are visible in every sandbox, read-only. */
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

/** The programs available in a sandbox. */
export interface Toolchains {
  /** Folders outside the system's that are visible read-only. */
  readonly folders: readonly string[]
  /** PATH inside, in the order of PATH outside. */
  readonly path: readonly string[]
  /** The interpreter behind `python3` and `python`. */
  readonly python: string | undefined
}

/** Where to search for toolchains. */
export interface ToolchainContext extends VersionContext {
  /** The user that programs run as; programs they cannot reach are left out. */
  readonly owner: Owner
}

/** Resolves PATH to the real folders of its programs; shims of version managers are resolved to the selected version. */
export function findToolchains(context: ToolchainContext): Toolchains {
  const entries = (context.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/') && isFolder(folder) && canReach(context.owner, realpathSync(folder)))
  const found = entries.flatMap((entry) => resolveEntry(entry, context))
  const path = [...new Set([...found.map(({ programs }) => programs), '/usr/local/bin', '/usr/bin', '/bin'])]
  const folders = found.flatMap(({ folder }) => folder ?? [])
  const python = path.map((folder) => join(folder, 'python3')).find(isProgram)
  return { folders: [...new Set(folders)], path, python }
}

function resolveEntry(entry: string, context: ToolchainContext): Entry[] {
  const real = realpathSync(entry)
  if (SYSTEM_FOLDERS.some((folder) => insidePath(folder, real) !== undefined)) return [{ programs: entry }]
  if (insidePath(context.workspace, real) !== undefined) return [{ programs: entry }]
  const parent = dirname(real)
  const behind = resolveShims(real, context)
  if (behind !== undefined) return behind.filter(({ programs }) => canReach(context.owner, programs))
  if (basename(real) === 'bin' && isPrefix(parent, context)) return [{ programs: real, folder: parent }]
  return isBelowHome(real, context) ? [{ programs: real, folder: real }] : []
}

/** True for the prefix of one installation: it has `lib` beside `bin`, and is not a home folder or the shared `~/.local`. */
function isPrefix(folder: string, { env }: ToolchainContext): boolean {
  const shared = [env.HOME, join(env.HOME ?? '/', '.local'), '/']
  return isFolder(join(folder, 'lib')) && !shared.includes(folder)
}

function isBelowHome(folder: string, { env }: VersionContext): boolean {
  const home = env.HOME ?? '/'
  const inside = home === '/' ? undefined : insidePath(home, folder)
  return inside !== undefined && inside !== '.' && !inside.startsWith('.haft')
}

/** Returns the real folders behind the shims of a version manager; undefined for other folders. */
export function resolveShims(real: string, context: VersionContext): Entry[] | undefined {
  const root = dirname(real)
  if (basename(real) === 'shims')
    return isFolder(join(root, 'installs')) ? resolveInstallShims(root, context) : resolveEnvShims(root, context)
  if (basename(real) === 'bin' && isFolder(join(root, 'tools/image'))) return resolveVoltaShims(root, context)
  if (!isProgram(join(real, 'rustup'))) return undefined
  return [...resolveRustupShims(context), ...(isBelowHome(real, context) ? [{ programs: real, folder: real }] : [])]
}
