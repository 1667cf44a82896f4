import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { isGone, startOf } from '../limits/process-tree.ts'
import type { PipeMaker } from './pipes.ts'
import { withoutStrayDescriptors } from './stray-descriptors.ts'

/** The descriptors of the extra pipes of the process; 5 is reserved for its own use. */
export const PIPES = { status: 3, control: 4 } as const

/** The first descriptor that is passed on to bubblewrap. */
export const FIRST_DESCRIPTOR = 6

/** Where programs of the system are looked for. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What the outermost process reports when the overlay is mounted. */
export const MOUNTED = 'mounted'

/** A started bubblewrap; a shell inside waits for its one order. */
export interface BwrapProcess {
  /** The outermost process, which lives until the control pipe closes. */
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves to the pid, as seen outside, of the first process inside; undefined when the sandbox could not be started. */
  readonly ready: Promise<number | undefined>
  /** Resolves to the exit code when the last process inside has ended; undefined when nothing was run. */
  readonly ended: Promise<number | undefined>
  /** Sends a line to the outermost process; resolves to true when it reports that the overlay is mounted. */
  mount(line: string): Promise<boolean>
  /** Sets whether this sandbox keeps the program running. */
  setKeepAlive(isHeld: boolean): void
  /** Sends the order to the waiting shell. Called once. */
  send(order: string): void
  /** Sends an order, or input of a program that reads its standard input, and leaves it open. Input may be sent only once the program has answered, since the shell may read ahead. */
  write(text: string): void
  /** Kills all its processes. May be called twice. */
  kill(): void
  /** Closes the control pipe and resolves when the outermost process has ended. */
  release(): Promise<void>
}

/** How to start bubblewrap. */
export interface BwrapPlan {
  readonly argv: readonly string[]
  /** Descriptors from FIRST_DESCRIPTOR on; closed here after the start. */
  readonly descriptors: readonly number[]
  readonly pipes: PipeMaker
}

/** Starts bubblewrap in its own session, so that a terminal's signals do not reach it directly. */
export function startBwrap({ argv, descriptors, pipes }: BwrapPlan): BwrapProcess {
  const [out, err] = [pipes.make(), pipes.make()]
  const [program = '', ...args] = withoutStrayDescriptors(argv, FIRST_DESCRIPTOR + descriptors.length - 1)
  const child = spawn(program, args, {
    stdio: ['pipe', out.write, err.write, 'pipe', 'pipe', 'ignore', ...descriptors],
    detached: true,
    env: { PATH: SYSTEM_PATH },
    cwd: '/',
  })
  for (const descriptor of [out.write, err.write, ...descriptors]) closeSync(descriptor)
  const gone = new Promise<void>((resolve) => child.on('error', () => resolve()).on('exit', () => resolve()))
  const { stdin, status, control } = pipesOf(child)
  const [stdout, stderr] = [out.read, err.read]
  const reported = readStatus(status)
  // Bubblewrap first: it would report the end of its first process as the end of the command.
  const kill = (): void => {
    killGroup(child)
    reported.killFirst()
  }
  child.on('exit', kill)
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    ready: reported.ready,
    ended: Promise.all([stdout, stderr, status].map(whenClosed)).then(() => reported.conclude()),
    mount(line) {
      control.write(line)
      return reported.mounted
    },
    setKeepAlive: (isHeld) =>
      setReferenced([child, stdout, stderr, ...child.stdio.filter((pipe) => pipe instanceof Socket)], isHeld),
    send: (order) => void stdin.end(order),
    write: (text) => void stdin.write(text),
    kill,
    release() {
      control.end()
      return gone
    },
  }
}

interface Pipes {
  readonly stdin: Writable
  readonly status: Readable
  readonly control: Writable
}

function pipesOf({ stdin, stdio }: ChildProcess): Pipes {
  const status = stdio[PIPES.status]
  const control = stdio[PIPES.control]
  if (!stdin || !(status instanceof Readable) || !(control instanceof Writable))
    throw new Error('a process was started without its pipes')
  for (const pipe of [stdin, status, control]) pipe.on('error', () => undefined)
  return { stdin, status, control }
}

interface BwrapStatus {
  readonly ready: Promise<number | undefined>
  readonly mounted: Promise<boolean>
  /** Kills the first process inside, and with it all others there. Bubblewrap starts the command before that process is set to die with its parent, so that killing the parent alone may leave both running. */
  killFirst(): void
  /** Resolves to the exit code when the first process inside has ended. */
  conclude(): Promise<number | undefined>
}

/** Reads bubblewrap's status pipe: the pid of the first process inside, and the exit code at the end. */
function readStatus(status: Readable): BwrapStatus {
  let text = ''
  let firstStart = ''
  const first = () => numberIn(text, /"child-pid": (\d+)/)
  status.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    const pid = first()
    if (firstStart === '' && pid !== undefined) firstStart = startOf(pid)
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
    killFirst() {
      const pid = first()
      // Another process may have got its number since.
      if (pid !== undefined && firstStart !== '' && startOf(pid) === firstStart) killQuietly(pid)
    },
    async conclude() {
      const pid = first()
      if (pid === undefined) return undefined
      await new Promise<void>((resolve) => whenGone(pid, resolve))
      return numberIn(text, /"exit-code": (\d+)/)
    },
  }
}

function setReferenced(handles: readonly { ref(): unknown; unref(): unknown }[], isHeld: boolean): void {
  for (const handle of handles) {
    if (isHeld) handle.ref()
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

/** Waits for the first process inside, which is the last to end: the kernel kills all others before it. */
function whenGone(pid: number, done: () => void, looks = 0): void {
  if (isGone(pid)) done()
  else if (looks < QUICK_LOOKS) setImmediate(() => whenGone(pid, done, looks + 1))
  else setTimeout(() => whenGone(pid, done, looks), 1)
}

/** How many checks are made without a timer: the process mostly ends within microseconds. */
const QUICK_LOOKS = 100

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) killQuietly(-pid)
}

/** Kills a process; ignores one that has already ended. */
export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
