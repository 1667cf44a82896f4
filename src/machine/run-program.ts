import { spawn } from 'node:child_process'
import { ToolError } from '../core/call/result.ts'

/** How a program ended, and what it printed: at most 1 MB of each stream. */
export interface Finished {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

interface ProgramOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Ends the program with all that it started. */
  readonly signal: AbortSignal
}

const MAX_OUTPUT = 1_000_000

/** Runs a program without input, in a process group of its own. Rejects with ToolError if it cannot be started or was cancelled. */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<Finished> {
  const { cwd, env, signal } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group has ended already.
      }
    }
    const printed = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] = `${printed[stream]}${text}`.slice(-MAX_OUTPUT)
      })
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    child.on('error', (error) => reject(new ToolError('UNAVAILABLE', `${program} cannot be started: ${error.message}`)))
    child.on('close', (code) => {
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(new ToolError('CANCELLED', `${program} was ended.`))
      else resolve({ exitCode: code ?? 1, ...printed })
    })
  })
}
