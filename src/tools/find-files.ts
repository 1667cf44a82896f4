import { answer } from '../core/call/result.ts'
import type { FileEntry } from '../core/ports/files.ts'
import { sizeText } from '../core/text/file-listing.ts'
import { array, boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

const DEFAULT_RESULTS = 100

/** The most matches that are sorted by time; a pattern with more matches is too broad to be useful. */
const MAX_MATCHES = 100_000

export default defineTool({
  name: 'find_files',
  description:
    'Find files by name, newest first. A pattern without a slash matches names in every folder ("*.ts"), with one it matches paths ("src/**/*.test.ts"). Skips files in .gitignore.',
  input: objectSchema({
    pattern: string('Glob, relative to path', { minLength: 1 }),
    path: optional(string('Folder, relative to the workspace; default the workspace')),
    maxResults: optional(integer(`Maximum files, default ${DEFAULT_RESULTS}`, { minimum: 1, maximum: 5_000 })),
  }),
  argumentAliases: {
    pattern: ['glob', 'globPattern', 'query'],
    path: ['directory', 'dir', 'folder', 'directoryPath', 'dirPath', 'folderPath'],
  },
  output: objectSchema({
    files: array(
      objectSchema({
        path: string('File, relative to the workspace'),
        size: integer('Bytes', { minimum: 0 }),
        modified: string('ISO 8601'),
      }),
      'Newest first',
    ),
    more: optional(boolean('True when more files match')),
  }),
  effect: 'read',
  main: 'pattern',
  touches: ({ path = '.' }) => [reads(path)],
  async execute({ pattern, path = '.', maxResults = DEFAULT_RESULTS }, { files, signal }) {
    const found = await files.walk(path, {
      glob: pattern,
      hidden: /(^|\/)\./.test(pattern.replace(/^\.\//, '')),
      ignore: true,
      limit: MAX_MATCHES,
      signal,
    })
    const newest = [...found.entries].sort((a, b) => (a.modified < b.modified ? 1 : a.modified > b.modified ? -1 : 0))
    const shown = newest.slice(0, maxResults).map((entry) => foundFile(path, entry))
    const more = found.more || newest.length > maxResults
    const lines = shown.map((file) => `${file.path} (${sizeText(file.size)})`)
    if (more) lines.push(`[${newest.length} files match; narrow the pattern or raise maxResults]`)
    return answer(lines.join('\n') || 'No files match', { files: shown, ...(more && { more }) })
  },
})

function foundFile(folder: string, { name, size, modified }: FileEntry) {
  const above = folder.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  return { path: above === '' || above === '.' ? name : `${above}/${name}`, size, modified }
}
