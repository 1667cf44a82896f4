import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { endWithHaft } from '../../end-with-haft.ts'

/** How a server is started as a program. */
export interface ServerProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Called with each piece of its error output. */
  onStderr(text: string): void
}

/** Reads one message; throws where the line is no message of the protocol. */
export type ReadMessage = (line: string) => JSONRPCMessage

/** The longest message that is read, in bytes. */
export const MAX_MESSAGE = 10_000_000
/** How long a server may take to end by itself, and then after SIGTERM, in milliseconds. */
const GRACE = 1_000

/** Talks to a server over its standard input and output. Beside what the SDK's own transport does, the program has a process group of its own, so that what it starts (`npx`, a shell) ends with it, and with Haft. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** The SDK takes a transport that has `stderr` and `pid` for a program's. */
  readonly stderr = null
  readonly #program: ServerProgram
  readonly #read: ReadMessage
  #child: ChildProcess | undefined
  #line: Buffer[] = []
  #size = 0
  #ended: Promise<void> = Promise.resolve()
  /** How the program ended, in words. */
  end: string | undefined

  constructor(program: ServerProgram, read: ReadMessage) {
    this.#program = program
    this.#read = read
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  start(): Promise<void> {
    const { command, args, env, cwd, onStderr } = this.#program
    const child = endWithHaft(() => spawn(command, args, { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] }))
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
        this.onclose?.()
        resolve()
      })
    })
    child.once('exit', () => this.kill())
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.setEncoding('utf8').on('data', onStderr)
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.end = explainStart(this.#program, error)
        reject(new Error(this.end))
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child ?? {}
      if (!stdin?.writable) return reject(new Error(this.end ?? 'the server has ended'))
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the program: by closing its input, then by SIGTERM, then by SIGKILL. */
  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.stdin?.end()
    if (await this.#endsWithin(GRACE)) return
    this.#signal('SIGTERM')
    if (await this.#endsWithin(GRACE)) return
    this.kill()
    await this.#ended
  }

  /** Splits the output into lines. A line that is too long ends the connection, since what follows cannot be told apart. */
  #take(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#line.push(chunk.subarray(from, at))
      const line = Buffer.concat(this.#line).toString('utf8').trim()
      this.#line = []
      this.#size = 0
      from = at + 1
      if (line !== '') this.#handle(line)
    }
    const rest = chunk.subarray(from)
    this.#line.push(rest)
    this.#size += rest.length
    if (this.#size > MAX_MESSAGE) this.stop(`it sent a message of more than ${MAX_MESSAGE / 1_000_000} MB`)
  }

  #handle(line: string): void {
    let message: JSONRPCMessage
    try {
      message = this.#read(line)
    } catch {
      this.onerror?.(new Error('it wrote something to its standard output that is not a message of the protocol'))
      return
    }
    this.onmessage?.(message)
  }

  /** Ends the program at once, for a reason. */
  stop(reason: string): void {
    this.end ??= reason
    this.#line = []
    this.#size = 0
    this.#child?.stdout?.destroy()
    this.kill()
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds)
    })
    const isOver = await Promise.race([this.#ended.then(() => true), late])
    clearTimeout(timer)
    return isOver
  }

  /** Ends the program, and what it has started, at once. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // Nobody is left in the group.
    }
  }
}

function explainStart({ command, cwd }: ServerProgram, error: NodeJS.ErrnoException): string {
  // The system says the same of a missing folder.
  if (error.code === 'ENOENT' && !existsSync(cwd)) return `its folder ${JSON.stringify(cwd)} was not found`
  if (error.code === 'ENOENT') return `the program ${JSON.stringify(command)} was not found`
  return `it could not be started: ${error.message}`
}
