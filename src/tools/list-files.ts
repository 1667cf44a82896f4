import { DEFAULT_ENTRIES, listingData, listingSchema, listingText } from '../core/file-listing.ts'
import { answer } from '../core/result.ts'
import { integer, objectSchema, optional, string } from '../core/schema.ts'
import { defineTool } from '../core/tool.ts'
import { reads } from '../core/touch.ts'

export default defineTool({
  name: 'list_files',
  description: 'List everything in one folder, hidden files too. Lists the workspace when no path is given.',
  input: objectSchema({
    path: optional(string('Folder, relative to the workspace; the workspace when left out')),
    offset: optional(integer('Entries to pass over, to go on with a long listing', { minimum: 0 })),
  }),
  output: listingSchema,
  effect: 'read',
  main: 'path',
  touches: ({ path = '.' }) => [reads(path)],
  execute({ path = '.', offset = 0 }, { files }) {
    const listing = files.list(path, { hidden: true, offset, limit: DEFAULT_ENTRIES })
    return answer(listingText(listing, offset), listingData(listing))
  },
})
