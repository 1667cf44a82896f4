import { explainStatus } from './explain-status.ts'
import { type Limits, METADATA_LIMITS } from './limits.ts'
import { readText } from './read-text.ts'
import { sendRequest } from './send-request.ts'

/** The most bytes of metadata that are read. */
const MAX_METADATA = 20_000_000

/** How metadata is asked for. */
export interface JsonRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON with POST; a GET where there is none. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Those of metadata when left out. */
  readonly limits?: Limits
}

/** Metadata as JSON. Rejects with ModelError, or SyntaxError where it is not JSON. */
export async function getJson(url: string, { headers, body, signal, limits }: JsonRequest): Promise<unknown> {
  const answer = await sendRequest({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ?? new AbortController().signal,
    limits: limits ?? METADATA_LIMITS,
  })
  if (answer.status !== 200) throw await explainStatus(answer, url)
  return JSON.parse(await readText(answer.body, MAX_METADATA))
}
