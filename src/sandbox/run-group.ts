import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, ToolError } from '../core/call/result.ts'
import {
  DEFAULT_LIMITS,
  type RunLimits,
  type RunMode,
  type RunOrder,
  type RunOwner,
  type RunReport,
  SCRIPT_PLACE,
} from '../core/ports/sandbox.ts'
import { watchEnding } from './ending.ts'
import { exitCodeOf } from './exit-code.ts'
import { gatherOutput } from './gather-output.ts'
import { resolveFolder } from './resolve-folder.ts'

/** In each process's environment, so that one which left its group is found all the same. */
const MARK = 'HAFT_RUN'

/** How a process group is started for an order. */
export interface GroupPlan {
  readonly workspace: string
  readonly mode: RunMode
  /** The environment programs start from. */
  env(scratch: string): Readonly<Record<string, string | undefined>>
  /** What is really started; the folder is the run's own and goes with it. */
  wrap(argv: readonly string[], scratch: string, limits: RunLimits): readonly string[]
}

/** Runs an order as a process group of this machine that is ended with all its children. */
export async function runGroup(order: RunOrder, owner: RunOwner, plan: GroupPlan): Promise<RunReport> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'haft-run-')))
  try {
    return await runMarked({ order, owner, plan, scratch })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface MarkedRun {
  readonly order: RunOrder
  readonly owner: RunOwner
  readonly plan: GroupPlan
  readonly scratch: string
}

async function runMarked({ order, owner, plan, scratch }: MarkedRun): Promise<RunReport> {
  const limits = { ...DEFAULT_LIMITS, ...order.limits }
  const [program = '', ...args] = plan.wrap(writeScript(order, scratch), scratch, limits)
  const mark = randomUUID()
  const started = performance.now()
  const child = spawn(program, args, {
    cwd: resolveFolder(plan.workspace, order.cwd),
    env: { ...plan.env(scratch), ...order.env, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ending = watchEnding(owner.signal, limits.seconds, () => endGroup(child, mark))
  const gathered = gatherOutput({
    streams: child,
    limit: limits.output,
    output: (stream, text) => order.output?.(stream, text),
    flooded: () => ending.end('output'),
  })
  try {
    const exitCode = await whenEnded(child, () => endGroup(child, mark))
    return {
      stdout: gathered.text('stdout'),
      stderr: gathered.text('stderr'),
      exitCode,
      duration: performance.now() - started,
      ended: ending.reason ?? 'exit',
      mode: plan.mode,
    }
  } finally {
    ending.release()
  }
}

/** The order's words, with its script written to a file. */
function writeScript({ argv, script }: RunOrder, scratch: string): readonly string[] {
  if (script === undefined) return argv
  const path = join(scratch, 'script')
  writeFileSync(path, script)
  return argv.map((word) => (word === SCRIPT_PLACE ? path : word))
}

/** The first process ends the run: what it left behind is ended too, and then the streams close. */
function whenEnded(child: ChildProcess, endRest: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new ToolError('EXECUTION_ERROR', `Nothing was run: ${messageOf(error)}.`)))
    child.on('exit', endRest)
    child.on('close', (code, signal) => resolve(exitCodeOf(code, signal)))
  })
}

function endGroup({ pid }: ChildProcess, mark: string): void {
  if (pid === undefined) return
  killQuietly(-pid)
  for (const stray of findMarked(mark)) killQuietly(stray)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Processes that carry the mark; none where there is no /proc to look in. */
function findMarked(mark: string): number[] {
  const wanted = `${MARK}=${mark}`
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(wanted))
      .map(Number)
  } catch {
    return []
  }
}

/** Empty for a process that is gone or not ours. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
