import { Connection } from './connection.ts'
import type { FileProblem, FileText, FromProcess, LoadedFile } from './protocol.ts'
import type { ToolProcess } from './tool-process.ts'

/** How many seconds a file may take to load. */
export const LOAD_SECONDS = 10

/** A process with its files loaded; or the file that kept it from that. */
export type ProcessLoad =
  | { readonly connection: Connection; readonly files: readonly LoadedFile[] }
  | { readonly culprit: string; readonly problem: FileProblem }

/** Starts a process and loads files in it. Rejects where it fails before the first file. */
export async function loadProcess(
  start: () => ToolProcess,
  files: readonly FileText[],
  seconds: number,
): Promise<ProcessLoad> {
  const connection = new Connection(start())
  const loaded = Promise.withResolvers<readonly LoadedFile[]>()
  let loading: string | undefined
  const tooSlow = `loading it took longer than ${seconds} s`
  const isLate = () => connection.end(tooSlow)
  // The first limit also holds for the start of the process.
  let timer = setTimeout(isLate, seconds * 1000)
  const take = (message: FromProcess): void => {
    if (message.type === 'loaded') loaded.resolve(message.files)
    if (message.type !== 'loading') return
    clearTimeout(timer)
    loading = message.file
    timer = setTimeout(isLate, seconds * 1000)
  }
  connection.send({ type: 'load', files }, take)
  const outcome = await Promise.race([loaded.promise, connection.ended])
  clearTimeout(timer)
  if (typeof outcome !== 'string') return { connection, files: outcome }
  if (loading === undefined) throw new Error(`the process for TypeScript tools failed: ${outcome}`)
  return { culprit: loading, problem: { reason: explain(outcome, tooSlow) } }
}

function explain(reason: string, tooSlow: string): string {
  return reason === tooSlow
    ? tooSlow
    : `it ended the process while it was loaded: ${reason.replace(/^it ended with /, '')}`
}
