import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { ProgramOrder, RunningProgram } from '../../core/ports/sandbox.ts'
import { endWithHaft } from '../end-with-haft.ts'

/** As whom and where a program runs without a sandbox. */
export interface UserPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Makes a process group for it. */
  readonly isOwnGroup?: boolean
}

/** Starts a program with all rights of the user. It gets a process group of its own, or its first act must be to make one: what it starts ends with it then, and with Haft. */
export function startAsUser({ argv, env, output }: ProgramOrder, place: UserPlace): RunningProgram {
  const [program = '', ...args] = argv
  const child = endWithHaft(() =>
    spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: place.cwd,
      detached: place.isOwnGroup ?? false,
      env: { ...place.env, ...env },
    }),
  )
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8').on('data', (text: string) => output('stdout', text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => output('stderr', text))
  let isGone = false
  const end = () => {
    if (!isGone) endGroup(child)
  }
  // What the program left behind in its group ends with it; after that its number may be another's.
  child.on('exit', () => {
    end()
    isGone = true
  })
  const pipes = [child.stdin, child.stdout, child.stderr].filter((pipe) => pipe instanceof Socket)
  const handles = [child, ...pipes]
  return {
    send: (text) => void child.stdin.write(text),
    ended: whenEnded(child),
    end,
    hold: (held) => {
      for (const handle of handles) {
        if (held) handle.ref()
        else handle.unref()
      }
    },
  }
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`it could not be started: ${error.message}`))
    child.on('close', (code, signal) => resolve(describeEnd(code, signal)))
  })
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
}

/** Ends the group, or the program alone where it has not made one yet. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    child.kill('SIGKILL')
  }
}
