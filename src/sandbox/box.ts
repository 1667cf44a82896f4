import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { exitCodeOf } from './exit-code.ts'
import { isGone } from './process-tree.ts'
import { STATUS_DESCRIPTOR } from './profile.ts'
import { withoutStrayDescriptors } from './stray-descriptors.ts'

/** A started sandbox: a shell inside waits for the one order it will get. */
export interface Box {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves to the outside pid of the first process inside; rejects where the sandbox could not be made. */
  readonly ready: Promise<number>
  /** Tells the waiting shell what to become; once. */
  give(order: string): void
  /** Ends every process of it; may be called twice. */
  kill(): void
  /** Resolves when its last process is gone; undefined where bubblewrap itself failed. */
  readonly ended: Promise<number | undefined>
}

/** How a box is started. */
export interface BoxPlan {
  readonly argv: readonly string[]
  /** Descriptors from number 4 on; closed here once the box has them. */
  readonly descriptors: readonly number[]
}

/** Starts a box in a session of its own, so that a terminal's signals reach it only through us. */
export function startBox({ argv, descriptors }: BoxPlan): Box {
  const [program = '', ...args] = withoutStrayDescriptors(argv, STATUS_DESCRIPTOR + descriptors.length)
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...descriptors],
    detached: true,
    env: {},
    cwd: '/',
  })
  for (const descriptor of descriptors) closeSync(descriptor)
  const { stdin, stdout, stderr, status } = pipesOf(child)
  stdin.on('error', () => undefined)
  const facts = readStatus(status)
  return {
    stdout,
    stderr,
    ready: whenReady(child, status, facts),
    give: (order) => void stdin.end(order),
    kill: () => killGroup(child),
    ended: whenEnded(child, facts),
  }
}

interface Pipes {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly status: Readable
}

function pipesOf({ stdin, stdout, stderr, stdio }: ChildProcess): Pipes {
  const status = stdio[3]
  if (!stdin || !stdout || !stderr || !(status instanceof Readable)) throw new Error('the sandbox has no pipes')
  return { stdin, stdout, stderr, status }
}

interface Facts {
  first: number | undefined
  exitCode: number | undefined
}

/** bubblewrap tells the pid of the first process once it is bound to our life, and the exit code at the end. */
function readStatus(status: Readable): Facts {
  const facts: Facts = { first: undefined, exitCode: undefined }
  let text = ''
  status.on('error', () => undefined)
  status.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    facts.first ??= numberIn(text, /"child-pid": (\d+)/)
    facts.exitCode ??= numberIn(text, /"exit-code": (\d+)/)
  })
  return facts
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

function whenReady(child: ChildProcess, status: Readable, facts: Facts): Promise<number> {
  return new Promise((resolve, reject) => {
    status.on('data', () => facts.first !== undefined && resolve(facts.first))
    child.on('error', reject)
    child.on('close', () => reject(new Error('it ended before it was ready')))
  })
}

function whenEnded(child: ChildProcess, facts: Facts): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(undefined))
    child.on('close', (code, signal) => {
      const exitCode = signal === null ? facts.exitCode : exitCodeOf(code, signal)
      whenGone(facts.first, () => resolve(exitCode))
    })
  })
}

/** The first process inside is the last to go: the kernel ends all others before it. */
function whenGone(pid: number | undefined, done: () => void): void {
  if (pid === undefined || isGone(pid)) done()
  else setTimeout(() => whenGone(pid, done), 1)
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
