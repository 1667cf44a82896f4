import { answer } from '../core/call/result.ts'
import { DEFAULT_ENTRIES, listingData, listingSchema, listingText, MAX_ENTRIES } from '../core/text/file-listing.ts'
import { boolean, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'
import { reads } from '../core/tool/touch.ts'

export default defineTool({
  name: 'list_directory',
  aliases: [{ name: 'list_files', preset: { path: '.', includeHidden: true } }],
  description:
    'List the files and folders in a folder, with type, size and time. Recursive listings leave out what .gitignore names and follow no links.',
  input: objectSchema({
    path: string('Folder, relative to the workspace; "." is the workspace'),
    recursive: optional(boolean('Also list what lies in folders below; false when left out')),
    includeHidden: optional(boolean('Also list names that start with a dot; false when left out')),
    offset: optional(integer('Entries to pass over, to go on with a long listing', { minimum: 0 })),
    limit: optional(
      integer(`Most entries to list, ${DEFAULT_ENTRIES} when left out`, { minimum: 1, maximum: MAX_ENTRIES }),
    ),
  }),
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
