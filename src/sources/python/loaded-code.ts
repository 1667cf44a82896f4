import { messageOf, ToolError } from '../../core/call/result.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Code } from '../versions.ts'
import { type HostAnswer, ProcessEnded, type PythonProcess, type ToolRequest } from './python-process.ts'
import { readAnswer } from './read-answer.ts'

/** What a call needs of its context here. */
export type CallLine = Pick<ToolContext, 'signal' | 'delta'>

/** When a call that should stop is interrupted, and when it is given up; milliseconds. Both lie before the pipeline stops waiting for it. */
const INTERRUPT_AFTER = 100
const GIVE_UP_AFTER = 200

/** How long the other calls of a process get to finish when one of them does not stop, in milliseconds. */
const FAREWELL = 5_000

/** How often a call is sent again whose process ended before it had begun. */
const MAX_ATTEMPTS = 3

/** The tools of some folders as they were at one moment, and the process that runs them; started again when it ends. */
export class LoadedCode implements Code {
  readonly #start: () => Promise<PythonProcess>
  /** The process that new calls go to, or the one that is being started for them. */
  #process: Promise<PythonProcess> | undefined
  /** The same once it is started. */
  #present: PythonProcess | undefined
  /** Processes that live, the present one among them. */
  readonly #living = new Set<PythonProcess>()
  #isRetired = false

  /** `start` starts a process that has loaded the same files as the first. */
  constructor(first: PythonProcess, start: () => Promise<PythonProcess>) {
    this.#start = start
    this.#process = Promise.resolve(this.#follow(first))
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  /** Runs a call. A call whose process ended before it had begun is run again; `runLater` runs it where this code is retired before it has begun. Rejects with ToolError. */
  async run(request: ToolRequest, line: CallLine, runLater: () => Promise<unknown>): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      if (this.#isRetired) return runLater()
      const process = this.#present ?? (await this.#find())
      for (let free = process.waitForSlot(); free !== undefined; free = process.waitForSlot()) await free
      if (line.signal.aborted) {
        process.passSlot()
        throw neverBegun()
      }
      if (this.#isRetired) {
        process.passSlot()
        return runLater()
      }
      try {
        return readAnswer(await this.#runIn(process, request, line))
      } catch (thrown) {
        if (!(thrown instanceof ProcessEnded)) throw thrown
        this.#leave(process)
        if (line.signal.aborted && thrown.hasStarted) throw stoppedByEnd()
        if (thrown.hasStarted || attempt >= MAX_ATTEMPTS) throw crashed(request.tool, thrown)
      }
    }
  }

  retire(): void {
    this.#isRetired = true
    for (const process of this.#living) process.endWhenIdle()
  }

  /** Ends every process and resolves when they are gone. */
  async close(): Promise<void> {
    this.#isRetired = true
    for (const process of this.#living) process.end('the host was closed')
    await Promise.all([...this.#living].map(({ ended }) => ended))
  }

  #find(): Promise<PythonProcess> {
    if (this.#process === undefined) {
      const starting = this.#start().then((process) => this.#follow(process), notStarted)
      this.#process = starting
      starting.catch(() => {
        if (this.#process === starting) this.#process = undefined
      })
    }
    return this.#process
  }

  #follow(process: PythonProcess): PythonProcess {
    this.#present = process
    this.#living.add(process)
    void process.ended.then(() => {
      this.#living.delete(process)
      this.#leave(process)
    })
    if (this.#isRetired) process.endWhenIdle()
    return process
  }

  /** New calls go to a fresh process. */
  #leave(process: PythonProcess): void {
    if (this.#present !== process) return
    this.#present = undefined
    this.#process = undefined
  }

  /** The answer to a call; should the call be stopped, its handler is asked, then interrupted, then given up. */
  async #runIn(process: PythonProcess, request: ToolRequest, { signal, delta }: CallLine): Promise<HostAnswer> {
    const { number, answer } = process.begin(request, delta)
    let interrupting: NodeJS.Timeout | undefined
    let givingUp: NodeJS.Timeout | undefined
    const stop = () => {
      process.send({ cancel: number })
      interrupting = setTimeout(() => process.send({ interrupt: number }), INTERRUPT_AFTER)
      givingUp = setTimeout(() => this.#giveUp(process, number), GIVE_UP_AFTER)
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await answer
    } finally {
      signal.removeEventListener('abort', stop)
      clearTimeout(interrupting)
      clearTimeout(givingUp)
    }
  }

  /** The call lives on: its process is ended at once where nothing else runs in it, else when the others have had time to finish. */
  #giveUp(process: PythonProcess, number: number): void {
    this.#leave(process)
    process.giveUp(number)
    setTimeout(() => process.end('another call in it did not stop'), FAREWELL).unref()
  }
}

function notStarted(thrown: unknown): never {
  throw thrown instanceof ToolError ? thrown : new ToolError('UNAVAILABLE', `${messageOf(thrown)}. Nothing was run.`)
}

function neverBegun(): ToolError {
  return new ToolError('CANCELLED', 'It was stopped before it had begun. Nothing was run.')
}

function stoppedByEnd(): ToolError {
  const text = 'It did not stop when it was interrupted, so its process was ended; what it had done by then stays done.'
  return new ToolError('CANCELLED', text)
}

function crashed(tool: string, ended: ProcessEnded): ToolError {
  const text = `The Python process ended while ${tool} ran in it: ${ended.message}. What the call had done by then stays done. The process is started again for the next call.`
  return new ToolError('EXECUTION_ERROR', text)
}
