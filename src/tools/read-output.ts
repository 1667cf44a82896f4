import { answer, ToolError } from '../core/call/result.ts'
import { integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

/** What is given at once stays under what a result may hold, so that reading on never cuts anything. */
const MAX_CHARACTERS = 45_000
const MAX_LINES = 1_900

export default defineTool({
  name: 'read_output',
  description:
    "Read lines of a call's full output after its result was cut. Lines over 4,000 characters count as several.",
  input: objectSchema({
    call: string('Call id from the cut result'),
    from: optional(integer('First line, default 1', { minimum: 1 })),
    to: optional(integer('Last line, default as many as fit', { minimum: 1 })),
  }),
  effect: 'none',
  control: true,
  main: 'call',
  async execute({ call, from = 1, to = Number.MAX_SAFE_INTEGER }, { outputs }) {
    if (to < from) throw new ToolError('INVALID_ARGUMENTS', `to (${to}) is less than from (${from}).`)
    const part = await outputs.read(call, from, Math.min(to, from + MAX_LINES - 1))
    if (part === undefined) {
      throw new ToolError(
        'FILE_NOT_FOUND',
        `No output is stored for call ${JSON.stringify(call)}. Only cut outputs are stored; the cut result gives the call id.`,
      )
    }
    if (from > part.total)
      throw new ToolError('INVALID_ARGUMENTS', `The output has ${part.total} lines; line ${from} is past its end.`)
    const lines = fitting(part.lines)
    const last = from + lines.length - 1
    const more =
      last < Math.min(to, part.total)
        ? `\n[lines ${from} to ${last} of ${part.total}; continue with "from": ${last + 1}]`
        : ''
    return answer(lines.join('\n') + more, { lines, from, to: last, total: part.total })
  },
})

function fitting(lines: readonly string[]): readonly string[] {
  const taken: string[] = []
  let size = 0
  for (const line of lines) {
    size += line.length + 1
    if (size > MAX_CHARACTERS && taken.length > 0) break
    taken.push(line)
  }
  return taken
}
