import { execFileSync, spawn } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'
import { programs as ownPrograms } from '../../src/app/programs/programs.ts'
import type { RunOrder, RunReport } from '../../src/core/ports/sandbox.ts'
import { becomeOwner } from '../../src/sandbox/owner.ts'
import { NOBODY, sharedFolder } from './shared-folder.ts'

/** A report, or with which code the order was refused. */
export type Outcome = RunReport & { readonly failed?: string; readonly message?: string }

/** An order, and whether a person approves what it changed; nobody can be asked where it is left out. */
export type TestOrder = RunOrder & { readonly approved?: boolean }

/** Somebody's sandbox in a workspace of their own. */
export interface UsersSandbox {
  readonly workspace: string
  /** Haft's own folder. */
  readonly home: string
  /** Does what the next start does, with more environment: brings to an end what a dead process left. */
  recover(env?: Readonly<Record<string, string>>): void
  /** Gives the user all that lies in the workspace now. */
  own(): void
  /** The process that holds the sandbox. */
  readonly pid: number
  /** Lets it end by itself. */
  finish(): Promise<void>
  /** A process of that user outside the sandbox, which sleeps until the test ends. */
  startSleeper(): { readonly pid: number; isAlive(): boolean }
  run(order: TestOrder): Promise<Outcome>
  /** All at once. */
  runTogether(orders: readonly TestOrder[]): Promise<Outcome[]>
  bash(command: string, more?: Partial<TestOrder>): Promise<Outcome>
  python(code: string, more?: Partial<TestOrder>): Promise<Outcome>
}

/** A network that leads nowhere, for orders. */
export const NETWORK: NonNullable<RunOrder['network']> = {
  local: [],
  connect: () => Promise.reject(new Error('nothing is open')),
}

/** Whose sandboxes are tried: ours, and where we are root, that of a user without rights. */
export const USERS: readonly ('ourselves' | 'nobody')[] =
  process.getuid?.() === 0 ? ['ourselves', 'nobody'] : ['ourselves']

/** Where the workspace and Haft's own folder lie; shared folders where left out. */
export interface Places {
  readonly workspace?: string
  readonly home?: string
}

/** Starts a process of that user that runs orders; it and its workspace are gone when the test ends. */
export function openSandboxAs(user: (typeof USERS)[number], places: Places = {}): UsersSandbox {
  const { workspace = sharedFolder(), home = sharedFolder() } = places
  const { node, programs, temporary } = inject('shared')
  const asUser = user === 'nobody' ? becomeOwner(NOBODY, ownPrograms) : []
  if (user === 'nobody') for (const folder of [workspace, home]) chownSync(folder, NOBODY.uid, NOBODY.gid)
  const [program = '', ...args] = [...asUser, node, join(programs, 'run-orders.mjs'), workspace, home]
  const env = { PATH: process.env.PATH, HOME: workspace, SECRET_TOKEN: 'hush', TMPDIR: temporary }
  const child = spawn(program, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'], env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const runTogether = async (orders: readonly TestOrder[]): Promise<Outcome[]> => {
    child.stdin.write(`${JSON.stringify(orders)}\n`)
    const { value } = await lines.next()
    if (value === undefined) throw new Error('the process that runs orders has ended')
    return JSON.parse(value)
  }
  const run = async (order: TestOrder): Promise<Outcome> => {
    const [outcome] = await runTogether([order])
    if (outcome === undefined) throw new Error('no report')
    return outcome
  }
  return {
    workspace,
    home,
    recover(more = {}) {
      const [program = '', ...args] = [...asUser, node, join(programs, 'recover.mjs'), home, workspace]
      execFileSync(program, args, { cwd: '/', env: { ...env, ...more } })
    },
    own: () => void (user === 'nobody' && execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, workspace])),
    pid: child.pid ?? 0,
    finish: () => new Promise<void>((resolve) => child.on('exit', () => resolve()).stdin.end()),
    startSleeper() {
      const [program = '', ...args] = [...asUser, 'sleep', '600']
      const sleeper = spawn(program, args, { stdio: 'ignore' })
      onTestFinished(() => void sleeper.kill('SIGKILL'))
      return { pid: sleeper.pid ?? 0, isAlive: () => sleeper.exitCode === null && sleeper.signalCode === null }
    },
    run,
    runTogether,
    bash: (command, more = {}) => run({ argv: ['bash', '-c', command], ...more }),
    python: (code, more = {}) => run({ argv: ['python3', '-c', code], ...more }),
  }
}
