import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Programs } from '../../core/ports/developer/programs.ts'
import { shownPath } from '../../core/text/paths.ts'
import { ENVIRONMENT } from '../../rules/shell/commands/environment.ts'
import { resolveShims } from '../../sandbox/toolchains/toolchains.ts'
import { isProgram } from '../../sources/python/find-interpreter.ts'

/** Where systems and package managers put programs. */
const listSystem = (): readonly string[] => [
  ...['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/local/sbin'],
  ...['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin'],
  ...['/run/current-system/sw/bin', '/nix/var/nix/profiles/default/bin', join(homedir(), '.nix-profile/bin')],
]

/** The workspaces that this process has opened, and the files that name those of its homes: every folder that a command may have written to. */
const opened = new Set<string>()
const files = new Map<string, { stamp: string; workspaces: ReadonlySet<string> }>()

/** How many workspaces a home remembers before those that are gone are left out. */
const MANY = 1_000

/** Uses the workspaces that a home remembers: nothing in them is started outside the sandbox. */
export function useWorkspaces(home: string): void {
  const file = join(home, 'workspaces')
  if (!files.has(file)) files.set(file, { stamp: '', workspaces: new Set() })
}

/** Notes a workspace, for every process of a home where one is given. From now on nothing in it is started outside the sandbox. */
export function noteWorkspace(workspace: string, home: string | undefined): void {
  opened.add(workspace)
  if (home === undefined || !existsSync(home) || workspace.includes('\n')) return
  const file = join(home, 'workspaces')
  const before = readWorkspaces(file)
  if (before.has(workspace)) return
  const kept = before.size < MANY ? [] : [...before].filter((one) => existsSync(one))
  const flag = before.size < MANY ? 'a' : 'w'
  try {
    writeFileSync(file, [...kept, workspace].map((one) => `${one}\n`).join(''), { mode: 0o600, flag })
  } catch {
    // A home that cannot be written, on a full or read-only disk, stops no call that only reads; the log says so.
  }
}

function readWorkspaces(file: string): ReadonlySet<string> {
  const stats = statIfReachable(file)
  const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
  const known = files.get(file)
  if (known?.stamp === stamp) return known.workspaces
  const workspaces = new Set(stats === undefined ? [] : readFileSync(file, 'utf8').split('\n'))
  workspaces.delete('')
  files.set(file, { stamp, workspaces })
  return workspaces
}

/** True for a workspace. That somebody once worked on the whole machine does not count once they no longer do. */
function isWorkspace(folder: string): boolean {
  return opened.has(folder) || (folder !== '/' && [...files.keys()].some((file) => readWorkspaces(file).has(folder)))
}

/** The programs that this process starts outside the sandbox. Each is looked for anew, so that one found earlier is not used once its folder is a workspace. */
export const programs: Programs = {
  system: (name) => find(name, [listSystem, listPath]),
  chosen: (name) => (name.includes('/') ? checkNamed(name) : find(name, [listPath, listSystem])),
  env() {
    const entries = Object.entries(process.env).map(([name, value = '']) => [name, cleanVariable(name, value)] as const)
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
  },
}

/** Returns the first program of a name on PATH where it is refused, because it is in a workspace. */
export function findRefused(name: string): string | undefined {
  const first = listPath()
    .map((folder) => join(folder, name))
    .find(isProgram)
  return first === undefined || isTrusted(first) ? undefined : resolve(first)
}

/** Returns the workspace that a path leads into or through, links included; undefined for a path that no command can change. */
function findWorkspaceOf(path: string): string | undefined {
  return listPlaces(path).find(isWorkspace)
}

/** Lists the places that a path leads through, with all folders above them and each link: whoever can write one decides what the path names. */
function listPlaces(path: string, links = 0): string[] {
  const places = ['/']
  let at = '/'
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    at = name === '..' ? dirname(at) : join(at, name)
    places.push(at)
    if (links > MAX_LINKS || statIfReachable(at, lstatSync)?.isSymbolicLink() !== true) continue
    const target = readlinkSync(at)
    places.push(...listPlaces(isAbsolute(target) ? target : `${dirname(at)}/${target}`, links + 1))
    at = realpathOf(at) ?? at
  }
  // The real name may be written in other letters, where a file system does not tell upper from lower case.
  for (let real = realpathOf(path) ?? '/'; real !== '/'; real = dirname(real)) places.push(real)
  return places
}

/** As many as the kernel follows. */
const MAX_LINKS = 40

/** The folders of PATH, shims of version managers replaced by what they start: a shim would ask its working folder for the version. */
function listPath(): string[] {
  return (process.env.PATH ?? '').split(':').flatMap((folder) => {
    const real = isAbsolute(folder) ? realpathOf(folder) : undefined
    if (real === undefined || findWorkspaceOf(folder) !== undefined) return [folder]
    const behind = resolveShims(real, { env: process.env, workspace: homedir() })
    return behind === undefined || behind.length === 0 ? [folder] : behind.map((entry) => entry.programs)
  })
}

function find(name: string, lists: readonly (() => readonly string[])[]): string {
  const refused: string[] = []
  for (const list of lists) {
    for (const file of list().map((folder) => join(folder, name))) {
      if (!isProgram(file)) continue
      if (isTrusted(file)) return file
      refused.push(file)
    }
  }
  const [first] = refused
  if (first !== undefined) throw refusal(first)
  throw new ToolError(
    'UNAVAILABLE',
    `The program ${name} was not found: it is neither on PATH nor in the folders of the system. Install it.`,
  )
}

function checkNamed(path: string): string {
  if (isTrusted(path)) return path
  throw refusal(path)
}

function refusal(path: string): ToolError {
  const workspace = isAbsolute(path) ? findWorkspaceOf(path) : undefined
  const why =
    workspace === undefined
      ? 'is a path relative to the working folder, where a command may have written it'
      : `is in the workspace ${shownPath(workspace)}, where a command may have written it`
  return new ToolError(
    'UNAVAILABLE',
    `Haft does not start ${shownPath(path)} outside the sandbox: it ${why}. Install ${basename(path)} elsewhere, or name another one by its full path.`,
    { details: { path, ...(workspace !== undefined && { workspace }) } },
  )
}

/** Variables with a list of folders, of which only those of a workspace are left out. */
const LISTS: readonly string[] = ['program-path', 'code-path']
/** What variables may do without starting or loading anything. */
const HARMLESS: readonly string[] = ['history', 'network', 'trace', 'expands', 'function']
/** Variables by which package managers and environments say where they are, beside those that rules on commands know. */
const MORE = /^(VIRTUAL_ENV|CONDA_\w+|JAVA_HOME|NODE|INIT_CWD|npm_\w+)$/

/** Returns a variable as it may be passed on; undefined where it names something of a workspace or of the working folder. */
function cleanVariable(name: string, value: string): string | undefined {
  // A shim that is left would start what the working folder says.
  if (name === 'PATH')
    return listPath()
      .filter((folder) => isTrusted(folder) && basename(folder) !== 'shims')
      .join(':')
  const role = ENVIRONMENT.find(([pattern]) => pattern.test(name))?.[1] ?? (MORE.test(name) ? 'injects' : undefined)
  if (role === undefined || name === 'HOME' || HARMLESS.includes(role)) return value
  if (LISTS.includes(role) || /^(LD|DYLD)_LIBRARY_PATH$/.test(name))
    return value.split(':').filter(isTrusted).join(':') || undefined
  // Node looks for the bare name of a module in its working folder.
  if (role === 'node-options' && LOADS_MODULE.test(value)) return undefined
  const words = value.split(/[\s=:,;"']+/).filter((word) => /^\.{1,2}$|\//.test(word))
  return words.every(isTrusted) ? value : undefined
}

const LOADS_MODULE = /(^|\s)(-r|--require|--import|--(experimental-)?loader)(=|\s+)["']?(?!\/)/

function isTrusted(path: string): boolean {
  return isAbsolute(path) && findWorkspaceOf(path) === undefined
}

function statIfReachable(path: string, stat: typeof statSync | typeof lstatSync = statSync) {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
