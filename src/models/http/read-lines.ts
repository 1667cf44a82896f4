import { ModelError } from '../../core/ports/model.ts'

/** The longest line of a stream, in characters; a longer one is no reply of a model. */
const MAX_LINE = 16_000_000

/** The lines of a stream without their ends, however its bytes were split. A last line without an end counts. Throws ModelError for a line without bounds. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // The pieces of the line that has not ended yet: joined once, so that a long line in small pieces stays linear.
  let pending: string[] = []
  let length = 0
  for await (const bytes of body) {
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n')
    pending.push(first)
    length += first.length
    for (const piece of rest) {
      yield withoutReturn(pending.join(''))
      pending = [piece]
      length = piece.length
    }
    if (length > MAX_LINE) throw new ModelError(`The server sent a line of more than ${MAX_LINE} characters.`)
  }
  const last = withoutReturn(pending.join('') + decoder.decode())
  if (last !== '') yield last
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
