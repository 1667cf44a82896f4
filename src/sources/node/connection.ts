import type { ProgramOrder, RunningProgram } from '../../core/ports/sandbox.ts'
import { commandFor } from './command.ts'
import { type CallMessage, type FromProcess, MAX_MESSAGE, type ToProcess } from './protocol.ts'
import { errorOf, readMessage } from './read-message.ts'
import { splitLines } from './split-lines.ts'

/** Starts a program that stays: as the user, or in the sandbox. */
export type Launch = (order: ProgramOrder) => Promise<RunningProgram>

/** A call as it is asked for; the connection gives it an id. */
export type CallOrder = Omit<CallMessage, 'type' | 'id'>

/** What a waiting call wants to know. */
export interface CallListener {
  output?(text: string): void
}

/** Why a call has no answer: its process ended. */
export class ProcessEnded extends Error {
  /** False where the process had not begun with the call: it can be sent to another one. */
  readonly hasBegun: boolean
  /** True where this very call ended the process. */
  readonly isCause: boolean

  constructor(reason: string, call: { readonly hasBegun: boolean; readonly isCause: boolean }) {
    super(reason)
    this.hasBegun = call.hasBegun
    this.isCause = call.isCause
  }
}

interface Waiting extends CallListener {
  hasBegun: boolean
  resolve(value: unknown): void
  reject(error: Error): void
}

/** How much of what a process printed is kept to explain its end. */
const MAX_PRINTED = 2_000

/** Messages to and from one process, until it ends. */
export class Connection {
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended = Promise.withResolvers<string>()
  readonly #onMessage: (message: FromProcess) => void
  /** What is sent before the process reads: a shell on the way might read ahead and keep it. */
  #unsent: string[] | undefined = []
  #program: RunningProgram | undefined
  #lastId = 0
  #lineLength = 0
  #printed = ''
  #endedBy: number | undefined
  #reason: string | undefined

  /** Hands over every message that is no answer to a call. */
  constructor(onMessage: (message: FromProcess) => void) {
    this.#onMessage = onMessage
  }

  /** Starts the process. Rejects where it cannot be started. */
  async open(launch: Launch, program: string): Promise<void> {
    const take = splitLines((line) => this.#take(line))
    const output: ProgramOrder['output'] = (stream, text) => {
      if (stream === 'stderr') this.#printed = (this.#printed + text).slice(-MAX_PRINTED)
      else if (this.#isTooLong(text)) this.end('it sent a message that is too large')
      else take(text)
    }
    const started = await launch({ argv: commandFor(program), output })
    this.#program = started
    void started.ended.then((reason) => this.#finish(explainEnd(reason, this.#printed)))
    if (this.#reason !== undefined) started.end()
  }

  /** How many calls wait for an answer. */
  get running(): number {
    return this.#waiting.size
  }

  get isOver(): boolean {
    return this.#reason !== undefined
  }

  /** Resolves to why the process ended. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  /** Sends a message as soon as the process reads. */
  send(message: ToProcess): void {
    const line = `${JSON.stringify(message)}\n`
    if (this.#unsent) this.#unsent.push(line)
    else if (!this.isOver) this.#program?.send(line)
  }

  /** Sends a call. Its answer rejects with ToolError where the tool fails, with ProcessEnded where its process does. */
  call(order: CallOrder, listener: CallListener = {}): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (this.#reason !== undefined) reject(new ProcessEnded(this.#reason, { hasBegun: false, isCause: false }))
    else {
      this.#waiting.set(id, { ...listener, hasBegun: false, resolve, reject })
      this.holdWhileBusy()
      this.send({ type: 'call', id, ...order })
    }
    return { id, answer: promise }
  }

  /** Ends the process and all that it started. */
  end(reason: string): void {
    this.#program?.end()
    this.#finish(reason)
  }

  /** A process that waits for calls keeps nobody alive. */
  holdWhileBusy(): void {
    if (!this.isOver) this.#program?.hold(this.#waiting.size > 0)
  }

  #take(line: string): void {
    const message = readMessage(line)
    if (message === undefined) return
    if (message.type === 'ready') this.#sendUnsent()
    if (message.type === 'exit') this.#endedBy = message.id
    const id = 'id' in message ? message.id : undefined
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (waiting === undefined) {
      if (id === undefined) this.#onMessage(message)
    } else if (message.type === 'begun') waiting.hasBegun = true
    else if (message.type === 'output') waiting.output?.(String(message.text))
    else if (message.type === 'done') this.#settle(id, () => waiting.resolve(message.value))
    else if (message.type === 'failed') this.#settle(id, () => waiting.reject(errorOf(message.failure)))
  }

  #sendUnsent(): void {
    const lines = this.#unsent ?? []
    this.#unsent = undefined
    for (const line of lines) this.#program?.send(line)
  }

  #settle(id: number | undefined, end: () => void): void {
    if (id !== undefined) this.#waiting.delete(id)
    this.holdWhileBusy()
    end()
  }

  #finish(reason: string): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    this.#ended.resolve(reason)
    for (const [id, { hasBegun, reject }] of waiting)
      reject(new ProcessEnded(reason, { hasBegun, isCause: this.#endedBy === id || waiting.length === 1 }))
  }

  /** True where a line grows beyond every message. */
  #isTooLong(text: string): boolean {
    const last = text.lastIndexOf('\n')
    this.#lineLength = last < 0 ? this.#lineLength + text.length : text.length - last
    return this.#lineLength > MAX_MESSAGE * 2
  }
}

function explainEnd(reason: string, printed: string): string {
  const last = printed.trim().split('\n').slice(-3).join('\n').trim()
  return last === '' ? reason : `${reason}: ${last}`
}
