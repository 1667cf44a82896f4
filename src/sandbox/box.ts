import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'
import type { PipeMaker } from './pipes.ts'
import { isGone } from './process-tree.ts'
import { withoutStrayDescriptors } from './stray-descriptors.ts'

/** The numbers of the pipes that a box is started with, beside the usual three; 5 is left free for the box's own use. */
export const PIPES = { status: 3, leash: 4 } as const

/** The number of the first descriptor that a box is handed. */
export const FIRST_DESCRIPTOR = 6

/** What the outermost process reports when it has mounted what it was asked to. */
export const MOUNTED = 'mounted'

/** A started sandbox: a shell inside waits for the one order it will get. */
export interface Box {
  /** The outermost process, which stays until the leash is let go. */
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves to the outside pid of the first process inside; undefined where the sandbox could not be made. */
  readonly ready: Promise<number | undefined>
  /** Resolves when the last process inside is gone; undefined where nothing was run. */
  readonly ended: Promise<number | undefined>
  /** Says a line to the outermost process; resolves to whether it answered that a mount is in place. */
  mount(line: string): Promise<boolean>
  /** Says whether a program that does nothing else should go on running for it. */
  hold(held: boolean): void
  /** Tells the waiting shell what to become; once. */
  give(order: string): void
  /** The same for a program that reads its standard input, and then more for it: to be sent only once the program has answered, since the shell may read ahead. */
  send(text: string): void
  /** Ends every process of it; may be called twice. */
  kill(): void
  /** Lets the outermost process go and resolves when it has. */
  release(): Promise<void>
}

/** How a box is started. */
export interface BoxPlan {
  readonly argv: readonly string[]
  /** Descriptors from FIRST_DESCRIPTOR on; closed here once the box has them. */
  readonly descriptors: readonly number[]
  readonly pipes: PipeMaker
}

/** Starts a box in a session of its own, so that a terminal's signals reach it only through us. */
export function startBox({ argv, descriptors, pipes }: BoxPlan): Box {
  const [out, err] = [pipes.make(), pipes.make()]
  const [program = '', ...args] = withoutStrayDescriptors(argv, FIRST_DESCRIPTOR + descriptors.length - 1)
  const child = spawn(program, args, {
    stdio: ['pipe', out.write, err.write, 'pipe', 'pipe', 'ignore', ...descriptors],
    detached: true,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    cwd: '/',
  })
  for (const descriptor of [out.write, err.write, ...descriptors]) closeSync(descriptor)
  const gone = new Promise<void>((resolve) => child.on('error', () => resolve()).on('exit', () => resolve()))
  child.on('exit', () => killGroup(child))
  const { stdin, status, leash } = pipesOf(child)
  const [stdout, stderr] = [out.read, err.read]
  const facts = readStatus(status)
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    ready: facts.ready,
    ended: Promise.all([stdout, stderr, status].map(whenClosed)).then(() => facts.conclude()),
    mount(line) {
      leash.write(line)
      return facts.mounted
    },
    hold: (held) => holdAll([child, stdout, stderr, ...child.stdio.filter((pipe) => pipe instanceof Socket)], held),
    give: (order) => void stdin.end(order),
    send: (text) => void stdin.write(text),
    kill: () => killGroup(child),
    release() {
      leash.end()
      return gone
    },
  }
}

interface Pipes {
  readonly stdin: Writable
  readonly status: Readable
  readonly leash: Writable
}

function pipesOf({ stdin, stdio }: ChildProcess): Pipes {
  const status = stdio[PIPES.status]
  const leash = stdio[PIPES.leash]
  if (!stdin || !(status instanceof Readable) || !(leash instanceof Writable))
    throw new Error('a process was started without its pipes')
  for (const pipe of [stdin, status, leash]) pipe.on('error', () => undefined)
  return { stdin, status, leash }
}

interface Facts {
  readonly ready: Promise<number | undefined>
  readonly mounted: Promise<boolean>
  /** The exit code, when the first process inside is gone. */
  conclude(): Promise<number | undefined>
}

/** bubblewrap tells the pid of the first process once it is bound to our life, and the exit code at the end. */
function readStatus(status: Readable): Facts {
  let text = ''
  const first = () => numberIn(text, /"child-pid": (\d+)/)
  status.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  return {
    ready: new Promise((resolve) => {
      status.on('data', () => first() !== undefined && resolve(first()))
      status.on('close', () => resolve(undefined))
    }),
    mounted: new Promise((resolve) => {
      status.on('data', () => text.includes(MOUNTED) && resolve(true))
      status.on('close', () => resolve(false))
    }),
    async conclude() {
      const pid = first()
      if (pid === undefined) return undefined
      await new Promise<void>((resolve) => whenGone(pid, resolve))
      return numberIn(text, /"exit-code": (\d+)/)
    },
  }
}

function holdAll(handles: readonly { ref(): unknown; unref(): unknown }[], held: boolean): void {
  for (const handle of handles) {
    if (held) handle.ref()
    else handle.unref()
  }
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

function whenClosed(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.on('close', () => resolve()))
}

/** The first process inside is the last to go: the kernel ends all others before it. */
function whenGone(pid: number, done: () => void, looks = 0): void {
  if (isGone(pid)) done()
  else if (looks < QUICK_LOOKS) setImmediate(() => whenGone(pid, done, looks + 1))
  else setTimeout(() => whenGone(pid, done, looks), 1)
}

/** It is mostly a matter of microseconds, less than a timer takes. */
const QUICK_LOOKS = 100

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
