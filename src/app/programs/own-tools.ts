import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../core/call/result.ts'
import { isLocal, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import { insidePath } from '../../core/text/paths.ts'
import { SEARCH_KEY_VARIABLES } from '../../http/search/search-provider.ts'
import { KEY_VARIABLES } from '../../models/open/find-key.ts'
import type { Settings } from '../../settings/settings.ts'
import type { HomeParts } from '../home-parts.ts'
import { expandVariables } from '../mcp/expand-variables.ts'
import { findRefused, programs } from './programs.ts'

/** The environment of the person's own tools: their own, without the keys that Haft itself reads. */
export function ownToolsEnv(live: HomeParts['live']): Readonly<Record<string, string>> {
  const named = Object.values(live.now().models).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])
  const keys = new Set(['HAFT_TOKEN', ...Object.values(KEY_VARIABLES).flat(), ...SEARCH_KEY_VARIABLES, ...named])
  return Object.fromEntries(Object.entries(programs.env()).filter(([name]) => !keys.has(name)))
}

/** The interpreter of the person's own Python tools. */
export interface OwnPython {
  /** A program, or the folder of a virtual environment. */
  readonly python: string
  /** What the person should know about the choice. */
  readonly note?: string
}

/** Chooses the interpreter of the person's own Python tools: the one that settings name, else the first on PATH that is in no workspace. Throws where there is none. */
export function chooseOwnPython(named: string | undefined): OwnPython {
  if (named !== undefined)
    return { python: named === '~' || named.startsWith('~/') ? join(homedir(), named.slice(1)) : resolve(named) }
  const refused = findRefused('python3')
  const line = `python = "${refused === undefined ? '/path/to/python3' : environmentOf(refused)}"`
  try {
    const python = programs.chosen('python3')
    if (refused === undefined) return { python }
    const note = `your own tools run with ${python}, not with ${refused}, which is first on your PATH: it is in a workspace, where a command may have changed it. To use it, add this line to settings.toml: ${line}; changes to it ask then`
    return { python, note }
  } catch (thrown) {
    throw new Error(`Python tools need python3 (3.9 or newer). ${messageOf(thrown)} Or name it in settings: ${line}`)
  }
}

/** What runs of this installation of Haft: the program, its Node and its ripgrep. Where Haft is installed in the workspace, a command could change it. */
const OURSELVES = [
  ...[resolve(import.meta.dirname, '..'), process.execPath],
  dirname(dirname(dirname(fileURLToPath(import.meta.resolve('@vscode/ripgrep'))))),
]

/** Returns a function that lists the programs of a workspace, relative to it, that run outside the sandbox: those that settings name by their paths, which are the interpreter of own tools and files that start MCP servers, also before they exist, and Haft itself. The list is the same array while the settings are the same. */
export function createOwnPrograms(
  workspace: string,
  { user, live }: Pick<HomeParts, 'user' | 'live'>,
): () => readonly string[] {
  const python = user?.given.python
  const fixed = [...OURSELVES, ...(python === undefined ? [] : [chooseOwnPython(python).python])]
  let from: Settings['mcp'] | undefined
  let listed: readonly string[] = []
  return () => {
    const { mcp } = live.now()
    if (mcp === from) return listed
    from = mcp
    const paths = [...fixed, ...Object.values(mcp).flatMap(listStarted)].flatMap((path) => [path, environmentOf(path)])
    const inside = paths.flatMap((path) => [
      insidePath(workspace, path) ?? [],
      insidePath(workspace, realOf(path)) ?? [],
    ])
    listed = [...new Set(inside.flat())].filter((path) => path !== '.')
    return listed
  }
}

/** Returns the files that start a server: its program and those that its arguments name. */
function listStarted(given: McpServerSettings): readonly string[] {
  const server = expandIfSet(given)
  if (!isLocal(server)) return []
  const { command, args = [], cwd = homedir() } = server
  return [command, ...args].flatMap((word) => {
    const path = resolve(cwd, word)
    const stats = statIfThere(path)
    return stats?.isFile() || (word.includes('/') && !stats?.isDirectory()) ? [path] : []
  })
}

function expandIfSet(settings: McpServerSettings): McpServerSettings {
  try {
    return expandVariables(settings, process.env)
  } catch {
    return settings
  }
}

function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns the path without links; of a file that does not exist, as far as its folders do. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(realOf(dirname(path)), basename(path))
  }
}

/** Returns the virtual environment of an interpreter, or the interpreter itself where it is in none. */
export function environmentOf(program: string): string {
  const folder = dirname(dirname(program))
  return existsSync(join(folder, 'pyvenv.cfg')) ? folder : program
}
