import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** What to start. */
export interface ProcessOrder {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Files and folders outside the system's that it has to read. */
  readonly reads: readonly string[]
}

/** A process with pipes: it prints on 1 and 2, reads messages on 3 and answers on 4. What `child_process.spawn` gives is one. */
export interface ToolProcess {
  readonly pid?: number | undefined
  readonly stdio: readonly (Readable | Writable | null | undefined)[]
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
  kill(signal?: NodeJS.Signals): boolean
  ref?(): void
  unref?(): void
}

/** Starts a process; a sandbox has another one than the user's own folder. May throw where it cannot be started. */
export type StartProcess = (order: ProcessOrder) => ToolProcess

/** Starts it as the user: with their files, their network and their environment, in a process group of its own. */
export const startAsUser: StartProcess = ({ argv: [program = '', ...args], cwd, env }) => {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] })
  return {
    pid: child.pid,
    stdio: child.stdio,
    once: (event: 'exit' | 'error', listener: (...given: never[]) => void) => child.once(event, listener as () => void),
    kill: (signal = 'SIGKILL') => killGroup(child.pid, signal),
    ref: () => child.ref(),
    unref: () => child.unref(),
  }
}

/** What a tool has started ends with its process. */
function killGroup(pid: number | undefined, signal: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}
