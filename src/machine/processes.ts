import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessFacts } from '../core/ports/developer/machine.ts'
import type { Programs } from '../core/ports/developer/programs.ts'
import { runProgram } from './run-program.ts'

/** The unit of times in /proc, which Linux fixes for programs, and the size of a page. */
const TICKS = 100
const PAGE = 4096
const MAX_COMMAND = 4_000

interface ProcessOptions {
  readonly programs: Programs
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform
}

/** Lists the processes of the account that Haft runs as, oldest first. */
export async function listProcesses({
  programs,
  platform = process.platform,
}: ProcessOptions): Promise<readonly ProcessFacts[]> {
  const found = platform === 'linux' ? listFromProc() : await listFromPs(programs)
  return found.toSorted((a, b) => (a.started === b.started ? a.pid - b.pid : a.started < b.started ? -1 : 1))
}

function listFromProc(): readonly ProcessFacts[] {
  const uid = process.getuid?.() ?? 0
  const [uptime = 0] = readFileSync('/proc/uptime', 'utf8').split(' ').map(Number)
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return names.flatMap((name) => {
    try {
      return statSync(`/proc/${name}`).uid === uid ? [readProcess(name, uptime)] : []
    } catch {
      // It has ended in the meantime.
      return []
    }
  })
}

/** Reads one process. Its name is in parentheses and may hold spaces and parentheses itself. */
function readProcess(pid: string, uptime: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const end = stat.lastIndexOf(')')
  const name = stat.slice(stat.indexOf('(') + 1, end)
  const fields = stat
    .slice(end + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, start = 0, pages = 0] = [1, 11, 12, 19, 21].map((at) => fields[at] ?? 0)
  const age = Math.max(uptime - start / TICKS, 0.01)
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
  return {
    ...{ pid: Number(pid), parent, name, memory: pages * PAGE },
    cpu: Math.round(((user + system) / TICKS / age) * 1000) / 10,
    started: new Date(Math.round((Date.now() - age * 1000) / 1000) * 1000).toISOString(),
    command: (command === '' ? `[${name}]` : command).slice(0, MAX_COMMAND),
  }
}

/** Elsewhere `ps` tells the same. */
async function listFromPs(programs: Programs): Promise<readonly ProcessFacts[]> {
  const columns = 'pid=,ppid=,pcpu=,rss=,lstart=,command='
  const { stdout } = await runProgram(programs.system('ps'), ['-x', '-ww', '-o', columns], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    signal: AbortSignal.timeout(10_000),
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, cpu, memory, started = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)\s+(\w+ \w+\s+\d+ [\d:]+ \d+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined) return []
    return [
      {
        ...{ pid: Number(pid), parent: Number(parent), cpu: Number(cpu), memory: Number(memory) * 1024 },
        name: basename(command.split(' ')[0] ?? ''),
        started: new Date(started).toISOString(),
        command: command.slice(0, MAX_COMMAND),
      },
    ]
  })
}
