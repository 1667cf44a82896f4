import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '../core/result.ts'
import {
  DEFAULT_LIMITS,
  type RunOrder,
  type RunOwner,
  type RunReport,
  type Sandbox,
  SCRIPT_PLACE,
} from '../core/sandbox.ts'
import { watchEnding } from './ending.ts'
import { exitCodeOf } from './exit-code.ts'
import { gatherOutput } from './gather-output.ts'
import { resolveFolder } from './resolve-folder.ts'

/** What running bare needs of the house. */
export interface BareOptions {
  readonly workspace: string
  /** The environment programs start from. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** In each process's environment, so that one which left its group is found all the same. */
const MARK = 'HAFT_RUN'

/** No sandbox at all, for those whose settings say `sandbox = "off"`: a process group that is ended with all its children. */
export function createBareSandbox(options: BareOptions): Sandbox {
  return {
    run: (order, owner) => runBare(order, owner, options),
    examine: () =>
      Promise.resolve([
        {
          promise: 'sandbox',
          holds: true,
          seen: 'off in your settings: commands run as you, with your files and network',
        },
      ]),
    close: () => Promise.resolve(),
  }
}

async function runBare(order: RunOrder, owner: RunOwner, options: BareOptions): Promise<RunReport> {
  if (order.rehearse) throw new ToolError('UNAVAILABLE', 'A rehearsal needs the sandbox, and settings turn it off.')
  const mark = randomUUID()
  const scratch = order.script === undefined ? undefined : mkdtempSync(join(tmpdir(), 'haft-run-'))
  try {
    return await runMarked({ order, owner, options, mark, script: writeScript(scratch, order.script) })
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
  }
}

function writeScript(folder: string | undefined, text: string | undefined): string {
  if (folder === undefined || text === undefined) return ''
  const path = join(folder, 'script')
  writeFileSync(path, text)
  return path
}

interface MarkedRun {
  readonly order: RunOrder
  readonly owner: RunOwner
  readonly options: BareOptions
  readonly mark: string
  readonly script: string
}

async function runMarked({ order, owner, options, mark, script }: MarkedRun): Promise<RunReport> {
  const limits = { ...DEFAULT_LIMITS, ...order.limits }
  const [program = '', ...args] = order.argv.map((word) => (word === SCRIPT_PLACE ? script : word))
  const started = performance.now()
  const child = spawn(program, args, {
    cwd: resolveFolder(options.workspace, order.cwd),
    env: { ...options.env, ...order.env, [MARK]: mark },
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
      mode: 'bare',
    }
  } finally {
    ending.release()
  }
}

/** The first process ends the run: what it left behind is ended too, and then the streams close. */
function whenEnded(child: ChildProcess, endRest: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new ToolError('EXECUTION_ERROR', `The program could not be started: ${error.message}`)),
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
