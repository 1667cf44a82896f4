import type { ProgramOrder, RunningProgram } from '../../core/ports/sandbox.ts'
import { isRecord } from '../../core/text/json.ts'
import { LineReader } from './line-reader.ts'
import { SLOTS, type StartMarks } from './start-marks.ts'

/** One call of a tool, as the host process is asked for it. */
export interface ToolRequest {
  readonly tool: string
  /** The file that defines it. */
  readonly file: string
  readonly arguments: unknown
  readonly session: string
  readonly call: string
}

/** An answer of the host: the line, and what is in it. */
export interface HostAnswer {
  readonly line: string
  readonly message: Readonly<Record<string, unknown>>
}

/** A process that ended while a call was in it. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  /** False where it is certain that the handler had not begun: the call may be run again. */
  readonly hasStarted: boolean

  constructor(words: string, hasStarted: boolean) {
    super(words)
    this.hasStarted = hasStarted
  }
}

/** A call that a process was given. */
export interface RunningRequest {
  readonly number: number
  /** Rejects with ProcessEnded. */
  readonly answer: Promise<HostAnswer>
}

interface Waiting {
  readonly slot: number
  resolve(answer: HostAnswer): void
  reject(reason: Error): void
  delta(text: string): void
}

/** Called with what the host says before it serves calls. */
export type OnNews = (message: Readonly<Record<string, unknown>>) => void

/** How much of what a process printed outside of calls is kept for the message about its end, in characters. */
const KEPT_OUTPUT = 2_000

/** A host process: calls are sent to it and answered in any order. */
export class PythonProcess {
  /** Resolves when the process is gone, to how it ended. */
  readonly ended: Promise<string>
  readonly #program: RunningProgram
  readonly #marks: StartMarks | undefined
  readonly #waiting = new Map<number, Waiting>()
  readonly #slots = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index)
  readonly #queue: (() => void)[] = []
  readonly #stuck = new Set<number>()
  #count = 0
  #outgoing = ''
  #isOver = false
  #isLeaving = false
  #why: string | undefined

  private constructor(program: RunningProgram, marks: StartMarks | undefined, output: () => string) {
    this.#program = program
    this.#marks = marks
    this.ended = program.ended.then((words) => this.#finish(this.#why ?? withOutput(words, output())))
  }

  /** Starts a process with `launch` and gives `onNews` whatever it says that answers no call. */
  static async start(
    launch: (order: Pick<ProgramOrder, 'output'>) => RunningProgram | Promise<RunningProgram>,
    marks: StartMarks | undefined,
    onNews: OnNews,
  ): Promise<PythonProcess> {
    let printed = ''
    const lines = new LineReader(
      (line) => made.#take(line, onNews),
      () => made.end('it sent a line without end'),
    )
    const output: ProgramOrder['output'] = (stream, text) => {
      if (stream === 'stdout') lines.add(text)
      else printed = `${printed}${text}`.slice(-KEPT_OUTPUT)
    }
    // Nothing is read before the next turn of the event loop, when this is made.
    const made = new PythonProcess(await launch({ output }), marks, () => printed)
    return made
  }

  /** How many calls are in it. */
  get size(): number {
    return this.#waiting.size
  }

  /** Sends a message that is no call. */
  send(message: object): void {
    this.#write(`${JSON.stringify(message)}\n`)
  }

  /** Resolves when a call can be begun, or the process has ended; undefined where that is so now. */
  waitForSlot(): Promise<void> | undefined {
    if (this.#slots.length > 0 || this.#isOver) return undefined
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  /** Lets the next call that waits have a slot; to be called by one that waited and does not begin. */
  passSlot(): void {
    this.#queue.shift()?.()
  }

  /** Sends a call. Throws ProcessEnded where the process has ended, or has no slot left. */
  begin(request: ToolRequest, delta: (text: string) => void): RunningRequest {
    const slot = this.#slots.pop()
    if (this.#isOver || slot === undefined) throw new ProcessEnded('it has ended', false)
    const number = ++this.#count
    if (this.#waiting.size === 0) this.#program.hold(true)
    const answer = new Promise<HostAnswer>((resolve, reject) => {
      this.#waiting.set(number, { slot, resolve, reject, delta })
    })
    this.send({ id: number, slot, ...request })
    return { number, answer }
  }

  /** Notes that a call does not stop: when no other is left, the process is ended. */
  giveUp(number: number): void {
    if (!this.#waiting.has(number)) return
    this.#stuck.add(number)
    this.#endIfStuck()
  }

  /** Ends the process. `why` is the reason that the calls in it fail with. */
  end(why?: string): void {
    if (this.#isOver) return
    this.#why ??= why
    this.#program.hold(true)
    this.#program.end()
  }

  /** Ends the process once no call is in it. */
  endWhenIdle(): void {
    this.#isLeaving = true
    this.rest()
  }

  /** Keeps whoever started it running, until it rests. */
  hold(): void {
    this.#program.hold(true)
  }

  /** Lets whoever started it end while no call is in it. */
  rest(): void {
    if (this.#waiting.size > 0) return
    this.#program.hold(false)
    if (this.#isLeaving) this.end()
  }

  #write(line: string): void {
    if (this.#outgoing === '') queueMicrotask(() => this.#flush())
    this.#outgoing += line
  }

  #flush(): void {
    const text = this.#outgoing
    this.#outgoing = ''
    if (!this.#isOver) this.#program.send(text)
  }

  #take(line: string, onNews: OnNews): void {
    const message = readLine(line)
    if (message === undefined) this.end('it sent what is no message: a tool has written to a descriptor of the host')
    else if (typeof message.id === 'number') this.#takeAnswer(message.id, { line, message })
    else onNews(message)
  }

  #takeAnswer(number: number, answer: HostAnswer): void {
    const waiting = this.#waiting.get(number)
    if (waiting === undefined) return
    const { delta } = answer.message
    if (typeof delta === 'string') {
      waiting.delta(delta)
      return
    }
    this.#waiting.delete(number)
    this.#stuck.delete(number)
    this.#slots.push(waiting.slot)
    this.passSlot()
    this.rest()
    waiting.resolve(answer)
    if (this.#stuck.size > 0) this.#endIfStuck()
  }

  #endIfStuck(): void {
    if (this.#stuck.size === this.#waiting.size) this.end('a call in it did not stop')
  }

  #finish(words: string): string {
    this.#isOver = true
    for (const [number, { slot, reject }] of this.#waiting)
      reject(new ProcessEnded(words, this.#marks?.has(slot, number) ?? true))
    this.#waiting.clear()
    this.#marks?.close()
    for (const goOn of this.#queue.splice(0)) goOn()
    return words
  }
}

function readLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isRecord(message) ? message : undefined
  } catch {
    return undefined
  }
}

function withOutput(words: string, printed: string): string {
  const last = printed.trim()
  return last === '' ? words : `${words}; it had printed last: ${last.slice(-500)}`
}
