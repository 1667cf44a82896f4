import { Readable, Writable } from 'node:stream'
import { isRecord } from '../../core/json.ts'
import { isFailure, ToolError } from '../../core/result.ts'
import {
  type CallMessage,
  type FromProcess,
  MAX_MESSAGE,
  MESSAGES_IN,
  MESSAGES_OUT,
  type ToProcess,
} from './protocol.ts'
import { splitLines } from './split-lines.ts'
import type { ToolProcess } from './tool-process.ts'

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
  readonly #process: ToolProcess
  readonly #input: Writable
  readonly #output: Readable
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended = Promise.withResolvers<string>()
  #onMessage: ((message: FromProcess) => void) | undefined
  #lastId = 0
  #printed = ''
  #endedBy: number | undefined
  #reason: string | undefined

  /** Throws where the process has not the pipes it should have. */
  constructor(process: ToolProcess) {
    this.#process = process
    const [, out, errors, input, output] = process.stdio
    if (!(input instanceof Writable && output instanceof Readable))
      throw new Error(`the process has no pipes on descriptors ${MESSAGES_IN} and ${MESSAGES_OUT}`)
    this.#input = input
    this.#output = output
    for (const printed of [out, errors]) if (printed instanceof Readable) this.#keepPrinted(printed)
    input.on('error', () => undefined)
    output.setEncoding('utf8').on(
      'data',
      limitLine(
        splitLines((line) => this.#take(line)),
        () => this.end('it sent a message that is too large'),
      ),
    )
    process.once('error', (error) => this.#finish(`it could not be started: ${error.message}`))
    process.once('exit', (code, signal) => this.#finishAfterOutput(signal ? `signal ${signal}` : `exit code ${code}`))
    this.#holdWhileBusy()
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

  /** Sends a message and hands over every message that is no answer to a call. */
  send(message: ToProcess, onMessage?: (message: FromProcess) => void): void {
    if (onMessage) this.#onMessage = onMessage
    this.#input.write(`${JSON.stringify(message)}\n`)
  }

  /** Sends a call. Rejects with ToolError where the tool fails, with ProcessEnded where its process does. */
  call(order: CallOrder, listener: CallListener = {}): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (this.#reason !== undefined) reject(new ProcessEnded(this.#reason, { hasBegun: false, isCause: false }))
    else {
      this.#waiting.set(id, { ...listener, hasBegun: false, resolve, reject })
      this.#holdWhileBusy()
      this.send({ type: 'call', id, ...order })
    }
    return { id, answer: promise }
  }

  /** Ends the process and all that it started. */
  end(reason: string): void {
    this.#process.kill('SIGKILL')
    this.#finish(reason)
  }

  #take(line: string): void {
    const message = readMessage(line)
    if (message === undefined) return
    if (message.type === 'exit') this.#endedBy = message.id
    const id = 'id' in message ? message.id : undefined
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (waiting === undefined) {
      if (id === undefined) this.#onMessage?.(message)
    } else if (message.type === 'begun') waiting.hasBegun = true
    else if (message.type === 'output') waiting.output?.(String(message.text))
    else if (message.type === 'done') this.#settle(id, () => waiting.resolve(message.value))
    else if (message.type === 'failed') this.#settle(id, () => waiting.reject(errorOf(message.failure)))
  }

  #settle(id: number | undefined, end: () => void): void {
    if (id !== undefined) this.#waiting.delete(id)
    this.#holdWhileBusy()
    end()
  }

  /** What it wrote last is still in the pipe when a process has just ended. */
  #finishAfterOutput(how: string): void {
    const explain = () => this.#finish(explainEnd(how, this.#printed))
    if (this.#output.readableEnded || this.#output.destroyed) explain()
    else this.#output.once('close', explain)
  }

  #finish(reason: string): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    this.#ended.resolve(reason)
    for (const [id, { hasBegun, reject }] of waiting)
      reject(new ProcessEnded(reason, { hasBegun, isCause: this.#endedBy === id || waiting.length === 1 }))
    for (const stream of this.#process.stdio) stream?.destroy()
  }

  #keepPrinted(stream: Readable): void {
    stream.setEncoding('utf8').on('data', (text: string) => {
      this.#printed = (this.#printed + text).slice(-MAX_PRINTED)
    })
    stream.on('error', () => undefined)
    unref(stream)
  }

  /** A process that waits for calls keeps nobody alive. */
  #holdWhileBusy(): void {
    const change = this.#waiting.size > 0 ? ref : unref
    for (const one of [this.#process, this.#input, this.#output]) change(one)
  }
}

/** Sockets and processes can be kept from holding this process; the types of streams do not say so. */
function ref(one: object): void {
  if ('ref' in one && typeof one.ref === 'function') one.ref()
}

function unref(one: object): void {
  if ('unref' in one && typeof one.unref === 'function') one.unref()
}

/** Stops where a line grows beyond every message. */
function limitLine(take: (text: string) => void, onTooLong: () => void): (text: string) => void {
  let length = 0
  return (text) => {
    const last = text.lastIndexOf('\n')
    length = last < 0 ? length + text.length : text.length - last
    if (length > MAX_MESSAGE * 2) onTooLong()
    else take(text)
  }
}

/** Undefined for what is no message: tool files may write to the descriptor too. */
function readMessage(line: string): FromProcess | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isRecord(message) && typeof message.type === 'string' ? (message as FromProcess) : undefined
  } catch {
    return undefined
  }
}

function errorOf(failure: unknown): ToolError {
  if (!isFailure(failure))
    return new ToolError('EXECUTION_ERROR', 'the process of the tool answered with something else than a result')
  const { code, text, details, retryable } = failure
  return new ToolError(code, text, { ...(details && { details }), ...(retryable !== undefined && { retryable }) })
}

function explainEnd(how: string, printed: string): string {
  const last = printed.trim().split('\n').slice(-3).join('\n').trim()
  return last === '' ? `it ended with ${how}` : `it ended with ${how}: ${last}`
}
