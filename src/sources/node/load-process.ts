import { within } from '../within.ts'
import { Connection, type Launch } from './connection.ts'
import type { FileProblem, FileText, FromProcess, LoadedFile } from './protocol.ts'

/** How many seconds a file may take to load. */
export const LOAD_SECONDS = 10

/** A process with its files loaded; the file that kept it from that; or a file that takes long and keeps the process for itself. */
export type ProcessLoad =
  | { readonly connection: Connection; readonly files: readonly LoadedFile[] }
  | { readonly culprit: string; readonly problem: FileProblem }
  | SlowFile

/** A file that takes long to load, in a process of its own: the other files are loaded in another. */
export interface SlowFile {
  readonly slow: string
  /** When its load began, in milliseconds. */
  readonly since: number
  readonly connection: Connection
  /** Resolves when it is loaded, or its time is over. */
  readonly loaded: Promise<LoadedFile | FileProblem>
}

/** How a process is started. */
export interface ProcessPlace {
  /** The program that runs tool files: `child/main` of this folder, as it is built. */
  readonly program: string
  readonly launch: Launch
  /** Seconds a file may take to load, and the process to start. */
  readonly loadSeconds?: number
}

/** The files to load, and those that they may import. */
export interface LoadOrder {
  readonly files: readonly FileText[]
  readonly helpers: readonly FileText[]
  /** Seconds after which a file gets a process of its own; never when left out. */
  readonly slowAfter?: number
  /** Ends the process while it loads. */
  readonly signal: AbortSignal
}

/** Starts a process and loads files in it, one after the other, so that it is known which one ends it or takes long. Rejects where it fails before the first file. */
export async function loadProcess(place: ProcessPlace, order: LoadOrder): Promise<ProcessLoad> {
  const { program, launch, loadSeconds = LOAD_SECONDS } = place
  const { files, helpers, slowAfter = loadSeconds } = order
  const key = crypto.randomUUID()
  let take: (files: readonly LoadedFile[]) => void = () => undefined
  const connection = new Connection((message: FromProcess) => {
    if (message.type === 'loaded' && message.key === key) take(message.files)
  })
  const tooSlow = `loading it took longer than ${loadSeconds} s`
  /** Gives the process texts, and waits until it has loaded some of them. */
  const load = (wanted: readonly FileText[], texts: readonly FileText[]) => {
    const { promise, resolve } = Promise.withResolvers<readonly LoadedFile[]>()
    take = resolve
    connection.send({ type: 'load', key, files: wanted, helpers: texts })
    return Promise.race([promise, connection.ended])
  }
  const close = () => connection.end('Haft has closed it')
  order.signal.addEventListener('abort', close, { once: true })
  void connection.ended.then(() => order.signal.removeEventListener('abort', close))
  await connection.open(launch, program)
  if (order.signal.aborted) close()
  const ready = await within(load([], [...helpers, ...files]), loadSeconds)
  if (!Array.isArray(ready)) {
    connection.end(tooSlow)
    throw new Error(`the process for TypeScript tools failed: ${await connection.ended}`)
  }
  const all: LoadedFile[] = []
  for (const one of files) {
    const since = Date.now()
    const loading = load([one], [])
    const found = await within(loading, slowAfter)
    if (found === undefined && slowAfter < loadSeconds) {
      const loaded = within(loading, loadSeconds - slowAfter).then(async (late) => {
        if (late === undefined) connection.end(tooSlow)
        const settled = late ?? (await connection.ended)
        connection.holdWhileBusy()
        return typeof settled === 'string'
          ? { reason: explain(settled, tooSlow) }
          : (settled[0] ?? { reason: 'its process did not say what it loaded' })
      })
      return { slow: one.file, since, connection, loaded }
    }
    if (found === undefined) connection.end(tooSlow)
    const settled = found ?? (await connection.ended)
    if (typeof settled === 'string') return { culprit: one.file, problem: { reason: explain(settled, tooSlow) } }
    all.push(...settled)
  }
  connection.holdWhileBusy()
  return { connection, files: all }
}

function explain(reason: string, tooSlow: string): string {
  if (reason === tooSlow) return tooSlow
  return `it ended the process while it was loaded: ${reason.replace(/^it (ended with|was ended by) /, '')}`
}
