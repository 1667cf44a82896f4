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

/** The environment variable that marks each process of a run, so that one that left its group can be found. */
const MARK = 'HAFT_RUN'

/** How to start a process group for an order. */
export interface GroupPlan {
  readonly workspace: string
  readonly mode: RunMode
  /** The environment of the programs. */
  env(scratch: string): Readonly<Record<string, string | undefined>>
  /** Returns the command to start; the scratch folder is removed after the run. */
  wrap(argv: readonly string[], scratch: string, limits: RunLimits): readonly string[]
  /** Starts a program that ends with its process group when Haft ends in any way. */
  readonly endWithHaft?: (<Program extends ChildProcess>(start: () => Program) => Program) | undefined
}

/** Runs an order as a process group and ends it with all its children. */
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
  const start = () =>
    spawn(program, args, {
      cwd: resolveFolder(plan.workspace, order.cwd),
      env: { ...plan.env(scratch), ...order.env, [MARK]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  const child = plan.endWithHaft?.(start) ?? start()
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

/** Writes the order's script to a file and returns its arguments. */
function writeScript({ argv, script }: RunOrder, scratch: string): readonly string[] {
  if (script === undefined) return argv
  const path = join(scratch, 'script')
  writeFileSync(path, script)
  return argv.map((word) => (word === SCRIPT_PLACE ? path : word))
}

/** Resolves when the run has ended: after the first process exits, the rest is killed and the streams close. */
function whenEnded(child: ChildProcess, endRest: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        new ToolError('EXECUTION_ERROR', `The program could not be started: ${messageOf(error)}. Nothing was run.`),
      ),
    )
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

/** Returns the processes that carry the mark; empty without /proc. */
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

/** Returns empty for a process that has ended or may not be read. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
