import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../core/text/json.ts'

/** Notes where a server of this home answers, for `haft serve --link`. Returns a function that removes the note. */
export function noteServer(home: string, url: string): () => void {
  const path = join(home, 'server.json')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 })
  return () => {
    // The note may be that of a server that was started later.
    if (readNote(path)?.pid === process.pid) rmSync(path, { force: true })
  }
}

interface LinkOrder {
  readonly folder: string
  /** The token in place of the one that is kept. */
  readonly token: string | undefined
  /** The port; that of the server that was started last when left out. */
  readonly port: number | undefined
}

/** Asks the server that runs for a new link. Never rejects. */
export async function askForLink({ folder, token, port }: LinkOrder): Promise<{ link: string } | { problem: string }> {
  const url = port === undefined ? readNote(join(folder, 'server.json'))?.url : `http://127.0.0.1:${port}`
  if (url === undefined) return { problem: 'No server runs on this HAFT_HOME. Start one with: haft serve' }
  try {
    const sent = token || readFileSync(join(folder, 'server-token'), 'utf8').trim()
    const response = await fetch(`${url}/api/link`, { method: 'POST', headers: { Authorization: `Bearer ${sent}` } })
    const body: unknown = await response.json()
    if (response.ok && isRecord(body) && typeof body.link === 'string') return { link: body.link }
    return { problem: `The server at ${url} refused (status ${response.status}). Is it one of this HAFT_HOME?` }
  } catch {
    return { problem: `No server answers at ${url}. Start one with: haft serve` }
  }
}

function readNote(path: string): { readonly url: string; readonly pid: number } | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isRecord(note) || typeof note.url !== 'string' || typeof note.pid !== 'number') return undefined
    return { url: note.url, pid: note.pid }
  } catch {
    return undefined
  }
}
