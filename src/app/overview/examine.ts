import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, reasonOf, ToolError } from '../../core/call/result.ts'
import type { SandboxFinding } from '../../core/ports/sandbox.ts'
import type { Registry } from '../../registry/registry.ts'
import type { LogReader } from '../home-options.ts'
import type { McpServers } from '../mcp/mcp-servers.ts'
import { chooseOwnPython } from '../programs/own-tools.ts'
import { programs } from '../programs/programs.ts'
import { refuseEndlessHome } from '../workspace.ts'

/** One thing that was tried: whether it works, and what was seen. */
export interface Finding {
  readonly what: string
  readonly holds: boolean
  readonly seen: string
  /** What to do where it does not work: a command, or a sentence. */
  readonly remedy?: string
}

/** What of a host is examined. */
export interface Examined {
  readonly workspace: string
  readonly haftHome: string
  /** The interpreter that settings name for own tools. */
  readonly python: string | undefined
  readonly log: LogReader
  readonly registry: Pick<Registry, 'snapshot'>
  readonly mcp: Pick<McpServers, 'settle' | 'list'>
  examineSandbox(): Promise<readonly SandboxFinding[]>
}

/** Tries each part of a host and reports what works on this machine. */
export async function examine(host: Examined): Promise<readonly Finding[]> {
  const servers = await examineServers(host)
  return [
    ...(await examineMachine(host.haftHome)),
    examinePython(host.python),
    examineWorkspace(host),
    await examineLog(host),
    ...(await examineTools(host)),
    ...servers,
    ...(await examineSandbox(host)),
  ]
}

/** Tries what needs no host: Node, Haft's own folder, ripgrep and the programs that Haft starts outside the sandbox. */
export async function examineMachine(haftHome: string): Promise<readonly Finding[]> {
  const seen = `${process.version} on ${process.platform} ${process.arch}, ${process.execPath}`
  const node = { what: 'node', holds: true, seen }
  return [node, examineHome(haftHome), await examineRipgrep(), ...examinePrograms()]
}

/** The programs of the sandbox, which Haft needs, and those that only some calls need. */
const NEEDED = process.platform === 'darwin' ? ['sandbox-exec'] : ['bwrap', 'unshare', 'nsenter', 'mkfifo', 'setpriv']
const USEFUL = ['git', process.platform === 'darwin' ? 'open' : 'xdg-open']

function examinePrograms(): Finding[] {
  return [...NEEDED, ...USEFUL].map((name) => {
    try {
      return { what: 'program', holds: true, seen: `${name}: ${programs.system(name)}` }
    } catch (thrown) {
      const isRefused = thrown instanceof ToolError && thrown.details?.path !== undefined
      return { what: 'program', holds: !isRefused && USEFUL.includes(name), seen: `${name}: ${messageOf(thrown)}` }
    }
  })
}

function examinePython(named: string | undefined): Finding {
  try {
    const { python, note } = chooseOwnPython(named)
    return { what: 'program', holds: true, seen: `python: ${python}${note === undefined ? '' : `; ${note}`}` }
  } catch (thrown) {
    return { what: 'program', holds: true, seen: `python: ${messageOf(thrown)}` }
  }
}

function examineHome(path: string): Finding {
  try {
    return examineHomeFolder(path)
  } catch (thrown) {
    return { what: 'home', holds: false, seen: `${path} cannot be reached: ${reasonOf(thrown)}` }
  }
}

/** Checks that only the owner can open HAFT_HOME, which holds secrets. */
function examineHomeFolder(path: string): Finding {
  const home = statSync(path, { throwIfNoEntry: false })
  if (home === undefined) {
    refuseEndlessHome(path)
    return { what: 'home', holds: true, seen: `${path} (will be created by the first call)` }
  }
  if (!home.isDirectory())
    return { what: 'home', holds: false, seen: `${path} is not a folder; set HAFT_HOME to a folder` }
  const isPrivate = (home.mode & 0o077) === 0
  const settings = existsSync(join(path, 'settings.toml')) ? 'with settings.toml' : 'without settings.toml'
  const remedy = `chmod 700 ${path}`
  const fix = isPrivate ? '' : `; other users can open it, run: ${remedy}`
  return { what: 'home', holds: isPrivate, seen: `${path}, ${settings}${fix}`, ...(!isPrivate && { remedy }) }
}

async function examineRipgrep(): Promise<Finding> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    execFileSync(rgPath, ['--version'], { stdio: 'ignore', env: {}, cwd: '/' })
    return { what: 'ripgrep', holds: true, seen: rgPath }
  } catch (thrown) {
    return {
      what: 'ripgrep',
      holds: false,
      seen: `cannot start: ${messageOf(thrown)}; install it with npm ci`,
      remedy: 'npm ci',
    }
  }
}

function examineWorkspace({ workspace }: Examined): Finding {
  return {
    what: 'workspace',
    holds: true,
    seen: `${workspace}${isWritable(workspace) ? '' : ' (read-only for you)'}`,
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function examineLog({ log, haftHome }: Examined): Promise<Finding> {
  const problem = log.problem()
  if (problem !== undefined) return { what: 'log', holds: false, seen: problem }
  const [last] = await log.sessions({ limit: 1 })
  const names = existsSync(haftHome) ? readdirSync(haftHome) : []
  const damaged = names.filter((name) => /^log\.db\.damaged-[\dT-]+Z?(-wal)?$/.test(name))
  const used = last ? `last used ${new Date(last.lastAt).toISOString()}` : 'empty'
  const seen = `${join(haftHome, 'log.db')}, SQLite ${process.versions.sqlite}, ${used}`
  if (damaged.length === 0) return { what: 'log', holds: true, seen }
  return {
    what: 'log',
    holds: false,
    seen: `${seen}; damaged earlier and kept in the same folder: ${damaged.join(', ')}`,
    remedy:
      'SQLite can read much of a damaged log: sqlite3 FILE .recover. Delete the files when you do not need them any more.',
  }
}

/** Starts every MCP server and says what came of it. */
async function examineServers({ mcp }: Examined): Promise<Finding[]> {
  await mcp.settle()
  return (await mcp.list()).map(({ name, state, tools, server, problem, changed }) => {
    const held = changed.map(({ tool }) => tool).join(', ')
    const asks = held === '' ? '' : `; changed since you accepted them: ${held} (haft mcp test ${name} shows how)`
    const seen = state === 'ready' ? `${tools} tools of ${server}${asks}` : `${state}: ${problem ?? 'not started'}`
    return { what: 'mcp', holds: state === 'ready' && held === '', seen: `${name}: ${seen}` }
  })
}

async function examineTools({ registry }: Examined): Promise<Finding[]> {
  const snapshot = registry.snapshot()
  const broken = await Promise.all(
    snapshot.tools.map(async (entry) => {
      const { issues } = await snapshot.check(entry, {})
      const issue = issues.find(({ message }) => message.includes('its own schema is broken'))
      return issue ? [{ what: 'tool', holds: false, seen: `${entry.tool.name}: ${issue.message}` }] : []
    }),
  )
  const skipped = snapshot.skipped.map(({ source, reason, isWarning = false }) => ({
    what: 'tool',
    holds: isWarning,
    seen: `${source} ${isWarning ? 'has a warning' : 'was skipped'}: ${reason}`,
  }))
  const names = snapshot.tools.map(({ tool }) => tool.name)
  const count = { what: 'tools', holds: true, seen: `${names.length} offered: ${names.join(', ')}` }
  return [count, ...broken.flat(), ...skipped]
}

async function examineSandbox(host: Examined): Promise<Finding[]> {
  const findings = await host.examineSandbox()
  return findings.map(({ promise, holds, seen, remedy }) => ({
    ...{ what: 'sandbox', holds, seen: `${promise}: ${seen}` },
    ...(remedy !== undefined && { remedy }),
  }))
}
