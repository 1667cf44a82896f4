import { Connection, type Launch } from './connection.ts'
import type { FileProblem, FileText, FromProcess, LoadedFile } from './protocol.ts'

/** How many seconds a file may take to load. */
export const LOAD_SECONDS = 10

/** A process with its files loaded; or the file that kept it from that. */
export type ProcessLoad =
  | { readonly connection: Connection; readonly files: readonly LoadedFile[] }
  | { readonly culprit: string; readonly problem: FileProblem }

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
}

/** Starts a process and loads files in it. Rejects where it fails before the first file. */
export async function loadProcess(place: ProcessPlace, order: LoadOrder): Promise<ProcessLoad> {
  const { program, launch, loadSeconds = LOAD_SECONDS } = place
  const loaded = Promise.withResolvers<readonly LoadedFile[]>()
  let loading: string | undefined
  const tooSlow = `loading it took longer than ${loadSeconds} s`
  const waitLonger = () => setTimeout(() => connection.end(tooSlow), loadSeconds * 1000)
  const key = crypto.randomUUID()
  const connection = new Connection((message: FromProcess) => {
    if (!('key' in message) || message.key !== key) return
    if (message.type === 'loaded') loaded.resolve(message.files)
    if (message.type !== 'loading') return
    clearTimeout(timer)
    loading = message.file
    timer = waitLonger()
  })
  let timer = waitLonger()
  try {
    await connection.open(launch, program)
    connection.send({ type: 'load', key, ...order })
    const outcome = await Promise.race([loaded.promise, connection.ended])
    connection.holdWhileBusy()
    if (typeof outcome !== 'string') return { connection, files: outcome }
    if (loading === undefined) throw new Error(`the process for TypeScript tools failed: ${outcome}`)
    return { culprit: loading, problem: { reason: explain(outcome, tooSlow) } }
  } finally {
    clearTimeout(timer)
  }
}

function explain(reason: string, tooSlow: string): string {
  if (reason === tooSlow) return tooSlow
  return `it ended the process while it was loaded: ${reason.replace(/^it (ended with|was ended by) /, '')}`
}
