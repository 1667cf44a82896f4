import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Programs } from '../../core/ports/developer/programs.ts'

/** A real pipe. Node gives a child sockets, which programs cannot open as /dev/stdout or /dev/stderr. */
export interface Pipe {
  readonly read: Socket
  /** The child's end; the caller closes it after starting the child. */
  readonly write: number
}

/** Creates pipes. */
export interface PipeMaker {
  make(): Pipe
  close(): void
}

/** How many pipes are created at once, since creating them starts a process. */
const MANY = 16

interface Ends {
  readonly read: number
  readonly write: number
}

/** Creates pipes from named pipes that are unlinked at once, so that nothing is left behind. */
export function createPipes(programs: Programs): PipeMaker {
  const ready: Ends[] = []
  return {
    make() {
      if (ready.length === 0) ready.push(...openMany(programs.system('mkfifo')))
      const ends = ready.pop()
      if (ends === undefined) throw new Error('no pipe could be made')
      return { read: new Socket({ fd: ends.read, readable: true, writable: false }), write: ends.write }
    },
    close() {
      for (const { read, write } of ready.splice(0)) {
        closeSync(read)
        closeSync(write)
      }
    },
  }
}

function openMany(mkfifo: string): Ends[] {
  const folder = mkdtempSync(join(tmpdir(), 'haft-pipes-'))
  try {
    const paths = Array.from({ length: MANY }, (_, index) => join(folder, `${index}`))
    execFileSync(mkfifo, ['-m', '600', ...paths], { env: {} })
    return paths.map((path) => ({
      read: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      write: openSync(path, constants.O_WRONLY),
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
