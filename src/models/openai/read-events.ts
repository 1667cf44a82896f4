import { createParser } from 'eventsource-parser'
import { ModelError } from '../../core/ports/model.ts'
import { isRecord } from '../../core/text/json.ts'
import { readLines } from '../http/read-lines.ts'
import { parseJson } from '../parse-json.ts'

/** What one event of a stream holds. */
export type StreamEvent =
  | { readonly type: 'chunk'; readonly chunk: Readonly<Record<string, unknown>> }
  /** An error, in whatever form the server reports it. */
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'end' }
  /** Something that is not JSON. */
  | { readonly type: 'other'; readonly text: string }

/** The events of a body: server-sent events, and beside them what servers send in their place (bare JSON, `error:` lines, a full reply as one JSON text). */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let events: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push(...readData(data, event === 'error')),
    // llama.cpp reports failures as a field of its own: `error: {…}`.
    onError: ({ field, value }) => {
      if (field === 'error') events.push({ type: 'error', error: parseJson(value ?? '') ?? value })
    },
  })
  const bare = createBareText()
  for await (const line of readLines(body)) {
    if (bare.takes(line)) events.push(...bare.add(line))
    else parser.feed(`${line}\n`)
    yield* events
    events = []
  }
  // An event whose closing empty line was not sent still counts.
  parser.feed('\n\n')
  yield* [...events, ...bare.end()]
}

/** The most characters of a text that is no event stream. */
const MAX_BARE = 16_000_000

/** Gathers the lines of JSON or of a web page that stand where events should. */
function createBareText() {
  let text = ''
  const end = (): StreamEvent[] => {
    const gathered = text.trim()
    text = ''
    return gathered === '' ? [] : readData(gathered, false)
  }
  return {
    end,
    takes: (line: string): boolean => /^\s*[{[<]/.test(line) || (text !== '' && !line.startsWith('data:')),
    /** The events of a text that is complete with this line; it is looked at where it is one line, or where a brace closes it. */
    add(line: string): StreamEvent[] {
      const isOnly = text === ''
      text += `${line}\n`
      if (text.length > MAX_BARE)
        throw new ModelError(`The server sent more than ${MAX_BARE} characters that are not an event.`)
      return (isOnly || line.startsWith('}')) && parseJson(text) !== undefined ? end() : []
    },
  }
}

/** The events of one data field. Servers that leave out the empty line between events put several into one, a line each. */
function readData(data: string, isError: boolean): StreamEvent[] {
  if (data.trim() === '[DONE]') return [{ type: 'end' }]
  const value = parseJson(data)
  if (value !== undefined) return [readValue(value, isError, data)]
  const lines = data.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1) return lines.flatMap((line) => readData(line, isError))
  return isError ? [{ type: 'error', error: data }] : [{ type: 'other', text: data }]
}

function readValue(value: unknown, isError: boolean, text: string): StreamEvent {
  if (!isRecord(value)) return { type: 'other', text }
  const holdsError = (value.error !== undefined && value.error !== null) || value.object === 'error'
  return isError || holdsError ? { type: 'error', error: value } : { type: 'chunk', chunk: value }
}
