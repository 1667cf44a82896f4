import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Host } from '../app/host.ts'
import { messageOf, reasonOf } from '../core/call/result.ts'
import { hostOptionsOf } from './host-options.ts'
import type { Finding } from './models/finding.ts'
import { probeFinding } from './models/probe-finding.ts'
import { repairFindings } from './models/repair-findings.ts'
import { type Cli, type CommonOptions, EXIT, homeFolder } from './terminal/front-end.ts'
import { type Cell, tableLines } from './terminal/table.ts'

interface DoctorOptions extends CommonOptions {
  probe?: boolean
  model?: string
}

/** Adds `haft doctor`: tries each part of Haft and reports what works on this machine. */
export function addDoctor(program: Command, cli: Cli, exit: (code: number) => void): void {
  program
    .command('doctor')
    .description('Check what works on this machine')
    .option('--workspace <folder>', 'folder to work in (default: HAFT_WORKSPACE, else the current folder)')
    .option('--json', 'print JSON only')
    .option('--probe', 'send a short test chat to the model')
    .option('--model <name>', 'model for --probe (default: the selected one)')
    .action(async (options: DoctorOptions) => {
      const findings = [
        nodeVersion(),
        homeFinding(),
        await ripgrepFinding(),
        ...(await hostFindings(cli, options)),
        person(),
      ]
      if (options.json) cli.write(`${JSON.stringify({ findings })}\n`)
      else for (const line of tableLines(findings.map(cellsOf), { last: 'wrap' })) cli.print(line)
      exit(findings.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed)
    })
}

/** Returns the findings that need a host; if no host can be opened, the reason. */
async function hostFindings(cli: Cli, options: DoctorOptions): Promise<Finding[]> {
  let host: Host
  try {
    host = await cli.createHost({ ...hostOptionsOf(cli, options), onProblem: () => undefined })
  } catch (thrown) {
    return [{ what: 'start', holds: false, seen: messageOf(thrown) }]
  }
  try {
    return [
      workspaceFinding(host),
      await logFinding(host),
      ...(await toolFindings(host)),
      ...(await sandboxFindings(host)),
      ...(await repairFindings(host.log)),
      ...(options.probe ? [await probeFinding(host.models, options.model)] : []),
    ]
  } finally {
    await host.close()
  }
}

function cellsOf({ what, holds, seen }: Finding): Cell[] {
  const head: Cell = holds ? { style: 'green', text: `✓ ${what}` } : { style: 'red', text: `✗ ${what}` }
  return [head, { style: 'reset', text: seen }]
}

function nodeVersion(): Finding {
  return { what: 'node', holds: true, seen: `${process.version} on ${process.platform} ${process.arch}` }
}

function homeFinding(): Finding {
  const path = homeFolder()
  try {
    return examineHome(path)
  } catch (thrown) {
    return { what: 'home', holds: false, seen: `${path} cannot be reached: ${reasonOf(thrown)}` }
  }
}

/** Checks that only the owner can open HAFT_HOME, which holds secrets. */
function examineHome(path: string): Finding {
  const home = statSync(path, { throwIfNoEntry: false })
  if (home === undefined) return { what: 'home', holds: true, seen: `${path} (will be created by the first call)` }
  if (!home.isDirectory())
    return { what: 'home', holds: false, seen: `${path} is not a folder; set HAFT_HOME to a folder` }
  const isPrivate = (home.mode & 0o077) === 0
  const settings = existsSync(join(path, 'settings.toml')) ? 'with settings.toml' : 'without settings.toml'
  return {
    what: 'home',
    holds: isPrivate,
    seen: `${path}, ${settings}${isPrivate ? '' : `; other users can open it, run: chmod 700 ${path}`}`,
  }
}

async function ripgrepFinding(): Promise<Finding> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    const [version = ''] = execFileSync(rgPath, ['--version'], { encoding: 'utf8' }).split('\n')
    return { what: 'ripgrep', holds: true, seen: version }
  } catch (thrown) {
    return { what: 'ripgrep', holds: false, seen: `cannot start: ${messageOf(thrown)}; install it with npm ci` }
  }
}

function workspaceFinding({ workspace }: Host): Finding {
  const writable = isWritable(workspace)
  return { what: 'workspace', holds: true, seen: `${workspace}${writable ? '' : ' (read-only for you)'}` }
}

async function logFinding({ log }: Host): Promise<Finding> {
  const problem = log.problem()
  if (problem !== undefined) return { what: 'log', holds: false, seen: problem }
  const [last] = await log.sessions({ limit: 1 })
  const seen = last ? `last used ${new Date(last.lastAt).toISOString()}` : 'empty'
  return {
    what: 'log',
    holds: true,
    seen: `${join(homeFolder(), 'log.db')}, SQLite ${process.versions.sqlite}, ${seen}`,
  }
}

async function toolFindings({ registry }: Host): Promise<Finding[]> {
  const snapshot = registry.snapshot()
  const broken = await Promise.all(
    snapshot.tools.map(async (entry) => {
      const issue = (await snapshot.check(entry, {})).issues.find(({ message }) =>
        message.includes('its own schema is broken'),
      )
      return issue ? [{ what: 'tool', holds: false, seen: `${entry.tool.name}: ${issue.message}` }] : []
    }),
  )
  const skipped = snapshot.skipped.map(({ source, reason }) => ({
    what: 'tool',
    holds: false,
    seen: `${source} was skipped: ${reason}`,
  }))
  const count = {
    what: 'tools',
    holds: true,
    seen: `${snapshot.tools.length} offered: ${snapshot.tools.map(({ tool }) => tool.name).join(', ')}`,
  }
  return [count, ...broken.flat(), ...skipped]
}

async function sandboxFindings(host: Host): Promise<Finding[]> {
  const findings = await host.examineSandbox()
  return findings.map(({ promise, holds, seen }) => ({ what: 'sandbox', holds, seen: `${promise}: ${seen}` }))
}

function person(): Finding {
  const there = process.stdin.isTTY && process.stderr.isTTY
  return {
    what: 'person',
    holds: true,
    seen: there
      ? 'approval requests are shown in this terminal'
      : 'nobody at this terminal: calls that need approval are DENIED, unless --yes or --wait',
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
