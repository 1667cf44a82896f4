import { answer } from '../core/call/result.ts'
import type { TextHit } from '../core/ports/files.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

const DEFAULT_RESULTS = 100

/** No program takes a null character in an argument. */
const NO_NUL = '^[^\\0]*$'

export default defineTool({
  name: 'search_text',
  description:
    'Search the text of files. Leaves out hidden and binary files and what .gitignore names. Returns path, line number and line.',
  input: objectSchema({
    pattern: string('Text to find, or a regular expression with "regex": true', { minLength: 1, pattern: NO_NUL }),
    path: optional(string('File or folder to search, relative to the workspace; the workspace when left out')),
    glob: optional(string('Only files that match, such as "*.ts" or "src/**"', { minLength: 1, pattern: NO_NUL })),
    regex: optional(boolean('Read pattern as a regular expression; false when left out')),
    ignoreCase: optional(boolean('Upper and lower case count alike; false when left out')),
    context: optional(integer('Lines to show before and after each hit', { minimum: 0, maximum: 20 })),
    maxResults: optional(
      integer(`Most hits to return, ${DEFAULT_RESULTS} when left out`, { minimum: 1, maximum: 1_000 }),
    ),
  }),
  output: objectSchema({
    hits: array(
      objectSchema({
        path: string('File, relative to the workspace'),
        line: integer('Line number', { minimum: 1 }),
        text: string('The line'),
        match: boolean('False for a line of context'),
      }),
      'Lines found, by path',
    ),
    more: optional(boolean('True when there are more hits')),
  }),
  effect: 'read',
  main: 'pattern',
  touches: ({ path = '.' }) => [reads(path)],
  async execute({ path = '.', maxResults = DEFAULT_RESULTS, ...query }, { files, signal, delta }) {
    const hits: TextHit[] = []
    const more = await files.search({ ...query, path, limit: maxResults, signal }, (found) => {
      hits.push(...found)
      delta(`${found.map(hitLine).join('\n')}\n`)
    })
    hits.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
    return answer(describeHits(hits, more), { hits, ...(more && { more }) })
  },
})

/** Hits by file: the path, then its lines, `12:` for a hit and `12-` for context. */
function describeHits(hits: readonly TextHit[], more: boolean): string {
  if (hits.length === 0) return 'No matches found'
  const lines: string[] = []
  for (const [index, hit] of hits.entries()) {
    if (hits[index - 1]?.path !== hit.path) lines.push(...(index > 0 ? [''] : []), hit.path)
    lines.push(`${hit.line}${hit.match ? ':' : '-'} ${hit.text}`)
  }
  if (more) lines.push('', '[there are more hits; narrow the pattern, path or glob, or raise maxResults]')
  return lines.join('\n')
}

function hitLine({ path, line, text, match }: TextHit): string {
  return `${path}${match ? ':' : '-'}${line}${match ? ':' : '-'} ${text}`
}
