import { answer, ToolError } from '../core/call/result.ts'
import type { FileLines, ReadFiles } from '../core/ports/files.ts'
import { MAX_READ, notText, textOf } from '../core/text/file-text.ts'
import { integer, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

export default defineTool({
  name: 'read_file',
  description:
    'Read a text file up to 1 MB, or a line range of a file of any size. Binary files need "encoding": "base64".',
  input: objectSchema({
    path: string('File, relative to the workspace'),
    encoding: optional(oneOf(['utf-8', 'base64'], 'Encoding of the result, default utf-8')),
    from: optional(integer('First line, from 1', { minimum: 1 })),
    to: optional(integer('Last line', { minimum: 1 })),
  }),
  argumentAliases: {
    path: ['filePath', 'fileName', 'file', 'absolutePath', 'targetFile'],
    from: ['startLine', 'lineStart', 'start'],
    to: ['endLine', 'lineEnd', 'end'],
  },
  output: objectSchema({
    content: string('The content, or the requested lines'),
    size: integer('Size of the file in bytes', { minimum: 0 }),
    modified: string('ISO 8601'),
    from: optional(integer('First line returned', { minimum: 1 })),
    to: optional(integer('Last line returned', { minimum: 0 })),
    totalLines: optional(integer('Lines of the file, if its end was reached', { minimum: 0 })),
  }),
  effect: 'read',
  main: 'path',
  touches: ({ path }) => [reads(path)],
  execute({ path, encoding, from, to }, { files }) {
    if (from !== undefined || to !== undefined) return readRange(files, path, { from, to, encoding })
    if (encoding === 'base64') return readBytes(files, path)
    const { text: content, size, modified } = files.readText(path, MAX_READ)
    if (content === undefined) throw notText(path, size)
    return answer(content, { content, size, modified })
  },
})

function readBytes(files: ReadFiles, path: string) {
  const { bytes, size, modified } = files.read(path, MAX_READ)
  return { content: Buffer.from(bytes).toString('base64'), size, modified }
}

interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly encoding: string | undefined
}

function readRange(files: ReadFiles, path: string, { from = 1, to = Number.MAX_SAFE_INTEGER, encoding }: Range) {
  if (encoding === 'base64')
    throw new ToolError('INVALID_ARGUMENTS', 'A line range is always text: omit encoding, or omit from and to.')
  if (to < from) throw new ToolError('INVALID_ARGUMENTS', `to (${to}) is less than from (${from}).`)
  const part = files.readLines(path, { from, to, limit: MAX_READ })
  const content = textOf(part.bytes)
  if (content === undefined) throw notText(path, part.size)
  const { size, modified, total } = part
  const data = { content, size, modified, from, to: part.to, ...(total !== undefined && { totalLines: total }) }
  return answer(`${content}${content.endsWith('\n') ? '' : '\n'}${describeRange(part)}`, data)
}

function describeRange({ from, to, total }: FileLines): string {
  if (total === undefined) return `[lines ${from} to ${to}; there is more, continue with "from": ${to + 1}]`
  return `[lines ${from} to ${to} of ${total}]`
}
