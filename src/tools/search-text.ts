import { answer } from '../core/call/result.ts'
import type { TextHit } from '../core/ports/files.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

const DEFAULT_RESULTS = 100

/** A program argument cannot contain a null character. */
const NO_NUL = '^[^\\0]*$'

export default defineTool({
  name: 'search_text',
  description:
    'Search file contents; returns path, line number and line. Skips hidden and binary files and files in .gitignore.',
  input: objectSchema({
    pattern: string('Text, or a regular expression with "regex": true', { minLength: 1, pattern: NO_NUL }),
    path: optional(string('File or folder, relative to the workspace; default the workspace')),
    glob: optional(string('Only files that match, e.g. "*.ts" or "src/**"', { minLength: 1, pattern: NO_NUL })),
    regex: optional(boolean('pattern is a regular expression, default false')),
    ignoreCase: optional(boolean('Ignore case, default false')),
    context: optional(integer('Lines before and after each match', { minimum: 0, maximum: 20 })),
    maxResults: optional(integer(`Maximum matches, default ${DEFAULT_RESULTS}`, { minimum: 1, maximum: 1_000 })),
  }),
  argumentAliases: {
    pattern: ['query', 'search', 'text'],
    path: ['directory', 'dir', 'folder', 'filePath', 'file'],
    glob: ['include', 'includePattern', 'filePattern'],
    maxResults: ['limit', 'maxMatches'],
  },
  output: objectSchema({
    hits: array(
      objectSchema({
        path: string('File, relative to the workspace'),
        line: integer('Line number', { minimum: 1 }),
        text: string('The line'),
        match: boolean('False for a context line'),
      }),
      'Lines found, by path',
    ),
    more: optional(boolean('True when there are more matches')),
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

/** Groups matches by file: the path, then its lines, `12:` for a match and `12-` for context. */
function describeHits(hits: readonly TextHit[], more: boolean): string {
  if (hits.length === 0) return 'No matches found'
  const lines: string[] = []
  for (const [index, hit] of hits.entries()) {
    if (hits[index - 1]?.path !== hit.path) lines.push(...(index > 0 ? [''] : []), hit.path)
    lines.push(`${hit.line}${hit.match ? ':' : '-'} ${hit.text}`)
  }
  if (more) lines.push('', '[there are more matches; narrow the pattern, path or glob, or raise maxResults]')
  return lines.join('\n')
}

function hitLine({ path, line, text, match }: TextHit): string {
  return `${path}${match ? ':' : '-'}${line}${match ? ':' : '-'} ${text}`
}
