import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** A process that takes orders and answers them, a line each. */
export interface LineProcess {
  /** Its next line; undefined once it has ended. */
  next(): Promise<string | undefined>
  send(line: string): void
  /** Sends an order and returns the next line. */
  ask(line: string): Promise<string | undefined>
  /** Ends it as a crash would, and returns the lines that nobody has read. */
  kill(): Promise<readonly string[]>
  /** Closes its input and resolves when it has ended. */
  end(): Promise<void>
}

/** Starts a program of this folder; it is gone when the test ends. */
export function startLines(program: string, args: readonly string[]): LineProcess {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (!child.stdout || !child.stdin) throw new Error(`${program} has no pipes`)
  const { stdin } = child
  stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const closed = once(child, 'close')
  const next = async () => (await lines.next()).value
  const send = (line: string) => void stdin.write(`${line}\n`)
  return {
    next,
    send,
    ask(line) {
      send(line)
      return next()
    },
    async kill() {
      child.kill('SIGKILL')
      const rest: string[] = []
      for (let line = await next(); line !== undefined; line = await next()) rest.push(line)
      await closed
      return rest
    },
    async end() {
      stdin.end()
      await closed
    },
  }
}
