import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../core/call/result.ts'
import { isLocal } from '../../core/mcp/mcp-settings.ts'
import { insidePath } from '../../core/text/paths.ts'
import { SEARCH_KEY_VARIABLES } from '../../http/search/search-provider.ts'
import { KEY_VARIABLES } from '../../models/open/find-key.ts'
import type { HomeParts } from '../home-parts.ts'
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

/** Lists the programs of a workspace, relative to it, that run outside the sandbox: those that settings name by their paths, which are the interpreter of own tools and files that start MCP servers, and Haft itself. */
export function listOwnPrograms(
  workspace: string,
  { user, live }: Pick<HomeParts, 'user' | 'live'>,
): readonly string[] {
  const servers = Object.values(live.now().mcp).filter(isLocal)
  const started = servers.flatMap(({ command, args = [], cwd = homedir() }) =>
    [command, ...args].map((word) => resolve(cwd, word)).filter((path) => statIfThere(path)?.isFile()),
  )
  const python = user?.given.python
  const named = [...OURSELVES, ...(python === undefined ? [] : [chooseOwnPython(python).python]), ...started]
  const paths = named.flatMap((path) => [path, environmentOf(path)])
  const inside = paths.flatMap((path) => [insidePath(workspace, path) ?? [], insidePath(workspace, realOf(path)) ?? []])
  return [...new Set(inside.flat())].filter((path) => path !== '.')
}

function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Returns the virtual environment of an interpreter, or the interpreter itself where it is in none. */
export function environmentOf(program: string): string {
  const folder = dirname(dirname(program))
  return existsSync(join(folder, 'pyvenv.cfg')) ? folder : program
}
