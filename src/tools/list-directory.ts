import { answer } from '../core/call/result.ts'
import { DEFAULT_ENTRIES, listingData, listingSchema, listingText, MAX_ENTRIES } from '../core/text/file-listing.ts'
import { boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

export default defineTool({
  name: 'list_directory',
  aliases: [{ name: 'list_files', preset: { path: '.', includeHidden: true } }],
  description:
    'List a folder with type, size and time. Recursive listings skip files in .gitignore and follow no links.',
  input: objectSchema({
    path: string('Folder, relative to the workspace; "." for the workspace'),
    recursive: optional(boolean('Include subfolders, default false')),
    includeHidden: optional(boolean('Include names that start with a dot, default false')),
    offset: optional(integer('Entries to skip, to continue a long listing', { minimum: 0 })),
    limit: optional(integer(`Maximum entries, default ${DEFAULT_ENTRIES}`, { minimum: 1, maximum: MAX_ENTRIES })),
  }),
  argumentAliases: { path: ['directory', 'dir', 'folder', 'directoryPath', 'dirPath', 'folderPath'] },
  output: listingSchema,
  effect: 'read',
  main: 'path',
  touches: ({ path }) => [reads(path)],
  async execute({ path, recursive, includeHidden = false, offset = 0, limit = DEFAULT_ENTRIES }, { files, signal }) {
    const listing = recursive
      ? await files.walk(path, { hidden: includeHidden, ignore: true, offset, limit, signal })
      : files.list(path, { hidden: includeHidden, offset, limit })
    return answer(listingText(listing, offset), listingData(listing))
  },
})
