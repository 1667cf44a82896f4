import { answer } from '../core/call/result.ts'
import { array, integer, objectSchema, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

const SECONDS = 30

export default defineTool({
  name: 'web_search',
  description: 'Search the web. Returns titles, addresses and snippets; read a page with web_fetch.',
  input: objectSchema({
    query: string('What to look for', { minLength: 1, maxLength: 1_000 }),
    numResults: optional(integer('How many results, default 5', { minimum: 1, maximum: 20 })),
  }),
  argumentAliases: { query: ['q', 'searchTerm', 'searchQuery'], numResults: ['maxResults', 'count', 'limit'] },
  output: objectSchema({
    results: array(
      objectSchema({ title: string('Title'), url: string('Address'), snippet: string('Part of its text') }),
      'The results, best first',
    ),
  }),
  effect: 'network',
  approval: false,
  main: 'query',
  timeout: () => SECONDS + 5,
  async execute({ query, numResults = 5 }, { http }) {
    const results = await http.search(query, numResults, SECONDS)
    const shown = results.map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n   ${url}\n   ${snippet}`)
    return answer(shown.length === 0 ? 'No results.' : shown.join('\n'), { results: [...results] })
  },
})
