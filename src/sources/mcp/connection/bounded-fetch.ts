import { MAX_MESSAGE } from './stdio-transport.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Fetches for a server that is not trusted: a message that is too large ends the response. A stream of events may be as long as it likes, as long as none of its lines is. */
export const boundedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const body = response.body.pipeThrough(isStream ? limitLines() : limitBytes())
  return withBody(response, body)
}

/** The response with another body. Its address stays, which the constructor would lose. */
function withBody({ url, status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url })
}

const TOO_LARGE = `it sent a message of more than ${MAX_MESSAGE / 1_000_000} MB`

function limitBytes(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length
      if (size > MAX_MESSAGE) controller.error(new Error(TOO_LARGE))
      else controller.enqueue(chunk)
    },
  })
}

function limitLines(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(10)
      size = end === -1 ? size + chunk.length : chunk.length - end - 1
      if (size > MAX_MESSAGE) controller.error(new Error(TOO_LARGE))
      else controller.enqueue(chunk)
    },
  })
}
