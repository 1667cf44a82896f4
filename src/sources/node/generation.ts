import { ToolError } from '../../core/call/result.ts'
import { type CallListener, type CallOrder, type Connection, ProcessEnded } from './connection.ts'
import { loadProcess, type ProcessPlace, type SlowFile } from './load-process.ts'
import { type FileProblem, type FileText, isOnceOnly, type LoadedFile } from './protocol.ts'

/** How long a cancelled call has until its process counts as stuck, in milliseconds; less than the pipeline waits. */
const STOP_TIME = 150

/** How long other calls of a stuck process may still take, in milliseconds. */
const OTHERS_TIME = 5_000

const CLOSED = 'Haft has closed it'
const STUCK = 'a call in it did not stop when it was cancelled'

/** How one call is made. */
export interface CallTerms extends CallListener {
  readonly signal: AbortSignal
}

/** What a generation is made of. */
export interface GenerationParts extends ProcessPlace {
  readonly files: readonly FileText[]
  readonly helpers: readonly FileText[]
  /** Files that are known to keep a process from loading: they are not tried again. */
  readonly culprits: ReadonlyMap<string, FileProblem>
  /** A process that has loaded the files. */
  readonly connection?: Connection
}

/** One version of a folder's files and the process that runs it; a process that ends is started again with the same texts. */
export class Generation {
  readonly #parts: GenerationParts
  readonly #culprits: Map<string, FileProblem>
  readonly #slow: SlowFile[] = []
  /** Every process that is alive, with the calls in it that do not stop. */
  readonly #stuck = new Map<Connection, Set<number>>()
  #connection: Promise<Connection> | undefined
  #present: Connection | undefined
  #isRetired = false
  readonly #closing = new AbortController()

  constructor(parts: GenerationParts) {
    this.#parts = parts
    this.#culprits = new Map(parts.culprits)
    if (parts.connection) this.#connection = Promise.resolve(this.#use(parts.connection))
  }

  /** True once its calls belong to a later version. */
  get isRetired(): boolean {
    return this.#isRetired
  }

  /** The files that hang or end the process while they are loaded. */
  get culprits(): ReadonlyMap<string, FileProblem> {
    return this.#culprits
  }

  /** The files that are still loading, each in a process of its own. */
  get slow(): readonly SlowFile[] {
    return this.#slow
  }

  /** Starts the process and loads the files; one that takes longer than `slowAfter` seconds gets a process of its own. Rejects where no process can be started. */
  async load(slowAfter: number): Promise<readonly LoadedFile[]> {
    const { files, connection } = await this.#start(slowAfter)
    this.#connection = Promise.resolve(connection)
    return files
  }

  /** Runs a call. One that its process had not begun with when it ended is sent to the next process. Rejects with ToolError. */
  async call(order: CallOrder, terms: CallTerms): Promise<unknown> {
    for (let isRepeated = false; ; isRepeated = true) {
      const connection = await this.#connect()
      try {
        return await this.#run(connection, order, terms)
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error
        const mayRepeat = !error.hasBegun || (!isOnceOnly(order) && !error.isCause)
        if (isRepeated || !mayRepeat || terms.signal.aborted) throw explainEnd(order, error, terms.signal)
      }
    }
  }

  /** Ends the process once its calls have ended. */
  retire(): void {
    this.#isRetired = true
    for (const connection of this.#stuck.keys()) this.#endWhenIdle(connection)
  }

  /** Ends every process now, also one that is being started. */
  close(): void {
    this.#isRetired = true
    this.#closing.abort()
    for (const connection of [...this.#stuck.keys(), ...this.#slow.map((one) => one.connection)]) connection.end(CLOSED)
  }

  #connect(): Promise<Connection> {
    if (this.#present?.isOver) this.#connection = undefined
    this.#connection ??= this.#start().then(
      ({ connection }) => connection,
      (thrown) => {
        this.#connection = undefined
        throw new ToolError('UNAVAILABLE', thrown instanceof Error ? thrown.message : String(thrown))
      },
    )
    return this.#connection
  }

  /** Starts processes until one loads all files but those that prevent it. */
  async #start(
    slowAfter?: number,
  ): Promise<{ readonly connection: Connection; readonly files: readonly LoadedFile[] }> {
    for (;;) {
      const isSlow = (file: string) => this.#slow.some(({ slow }) => slow === file)
      const files = this.#parts.files.filter(({ file }) => !this.#culprits.has(file) && !isSlow(file))
      const { helpers } = this.#parts
      const { signal } = this.#closing
      if (signal.aborted) throw new Error(CLOSED)
      const loaded = await loadProcess(this.#parts, {
        files,
        helpers,
        signal,
        ...(slowAfter !== undefined && { slowAfter }),
      })
      if ('slow' in loaded) {
        this.#slow.push(loaded)
        if (this.#closing.signal.aborted) loaded.connection.end(CLOSED)
        continue
      }
      if ('culprit' in loaded) {
        const { culprit, problem } = loaded
        this.#culprits.set(culprit, problem)
        continue
      }
      this.#use(loaded.connection)
      return loaded
    }
  }

  #use(connection: Connection): Connection {
    if (this.#closing.signal.aborted) connection.end(CLOSED)
    this.#present = connection
    this.#stuck.set(connection, new Set())
    void connection.ended.then(() => this.#stuck.delete(connection))
    return connection
  }

  async #run(connection: Connection, order: CallOrder, { signal, output }: CallTerms): Promise<unknown> {
    const { id, answer } = connection.call(order, output ? { output } : {})
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      connection.send({ type: 'cancel', id, reason: reasonOf(signal) })
      timer = setTimeout(() => this.#abandon(connection, id), STOP_TIME)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#stuck.get(connection)?.delete(id)
      this.#endWhenIdle(connection)
    }
  }

  /** Sends new calls elsewhere and ends the process: at once where no other call is in it, else after a while. */
  #abandon(connection: Connection, id: number): void {
    if (this.#present === connection) this.#connection = undefined
    this.#stuck.get(connection)?.add(id)
    setTimeout(() => connection.end(STUCK), OTHERS_TIME).unref()
    this.#endWhenIdle(connection)
  }

  /** Ends a process that is no longer needed once only stuck calls are left in it. */
  #endWhenIdle(connection: Connection): void {
    const stuck = this.#stuck.get(connection)?.size ?? 0
    const isNeeded = !this.#isRetired && stuck === 0
    if (!isNeeded && connection.running <= stuck) connection.end(STUCK)
  }
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : 'the call was cancelled'
}

/** Why a call has no result, in words for the model. */
function explainEnd(order: CallOrder, ended: ProcessEnded, { aborted }: AbortSignal): ToolError {
  const { tool } = order
  if (aborted) return new ToolError('CANCELLED', 'Its process was ended; what it had done by then stays done.')
  if (ended.isCause || !ended.hasBegun)
    return new ToolError(
      'EXECUTION_ERROR',
      `The process of ${tool} ended before ${tool} did: ${ended.message}. It is started again for the next call.`,
    )
  const what = isOnceOnly(order) ? 'how far it came is unknown' : 'nothing was run'
  return new ToolError(
    'INTERRUPTED',
    `The process that ${tool} ran in was ended by another call, so ${what}: ${ended.message}.`,
  )
}
