import { answer, ToolError } from '../core/call/result.ts'
import { array, boolean, integer, number, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

const DEFAULT_RESULTS = 10

export default defineTool({
  name: 'search_code',
  description:
    'Find code by what it does: functions, classes and passages that fit a description, best first. For exact text use search_text.',
  input: objectSchema({
    query: string('What the code does, in words or names', { minLength: 1, maxLength: 1_000 }),
    path: optional(string('File or folder, default the workspace', { minLength: 1 })),
    maxResults: optional(integer(`Default ${DEFAULT_RESULTS}`, { minimum: 1, maximum: 50 })),
  }),
  output: objectSchema({
    hits: array(
      objectSchema({
        path: string('File'),
        line: integer('First line', { minimum: 1 }),
        endLine: integer('Last line', { minimum: 1 }),
        name: string('Function or class; may be empty'),
        score: number('How well it fits; comparable within one answer'),
        text: string('Its first lines'),
      }),
      'Pieces of code, best first',
    ),
    files: integer('Files in the index'),
    partial: optional(boolean('True if the workspace is too large and files are missing')),
  }),
  effect: 'read',
  mayTakeLong: true,
  main: 'query',
  timeout: () => 600,
  touches: ({ path = '.' }) => [reads(path)],
  async execute({ query, path = '.', maxResults = DEFAULT_RESULTS }, { code, files, signal, delta }) {
    const at = path.replace(/^(\.\/)+|\/+$/g, '') || '.'
    if (at !== '.' && files.state(at, 'entry') === null)
      throw new ToolError('FILE_NOT_FOUND', `${path} does not exist in the workspace.`)
    const {
      hits,
      files: count,
      isPartial,
      note: problem,
    } = await code.search({ query, path: at, limit: maxResults, files, signal, progress: delta })
    const shown = hits.map(({ path: file, line, endLine, name, text }) => {
      const more = text.split('\n').length < endLine - line + 1 ? '\n…' : ''
      return `${file}:${line}-${endLine}${name === '' ? '' : ` ${name}`}\n${text}${more}`
    })
    const notes = [isPartial && 'the workspace is too large for the index; some files were not searched', problem]
    const note = notes.flatMap((one) => (one ? [`\n\n[${one}]`] : [])).join('')
    return answer(`${shown.join('\n\n') || 'Nothing was found; try other words.'}${note}`, {
      hits,
      files: count,
      ...(isPartial && { partial: true }),
    })
  },
})
