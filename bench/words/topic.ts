import { join } from 'node:path'
import { loadToolFolder } from '../../src/registry/load-folder.ts'
import { createRegistry } from '../../src/registry/registry.ts'
import { makeTable } from '../lib/markdown.ts'
import { formatNumber } from '../lib/numbers.ts'
import type { Report, Topic } from '../lib/topic-shape.ts'

/** An estimate: English and JSON come to about four characters a token. No tokenizer is installed here. */
const CHARACTERS_PER_TOKEN = 4

/**
 * The fewest estimated tokens a tool among the peers, read from their sources of August 2026: opencode's 13 descriptions
 * alone, without parameters, come to 266; gemini-cli's 16 full definitions to 373. codex was not measured.
 */
const FEWEST_OF_PEERS = 266

const topic: Topic = {
  about: `The size of the built-in tool definitions in OpenAI's format, as a model reads them on every turn. Tokens are estimated: characters divided by ${CHARACTERS_PER_TOKEN}.`,
  async run(): Promise<Report> {
    const registry = createRegistry()
    const loaded = await loadToolFolder(join(import.meta.dirname, '../../src/tools'))
    registry.setSource('built-in', loaded, 'built-in')
    const definitions = registry.toOpenAIFunctions()
    const sizes = definitions.map((one) => ({ name: one.name, characters: JSON.stringify(one).length }))
    const total = sizes.reduce((sum, { characters }) => sum + characters, 0)
    const rows = [...sizes.toSorted((a, b) => b.characters - a.characters), { name: 'all', characters: total }]
    return {
      markdown: makeTable(
        ['tool', 'characters', 'tokens (estimated)'],
        rows.map(({ name, characters }) => [name, `${characters}`, formatNumber(characters / CHARACTERS_PER_TOKEN)]),
      ),
      gates: [
        {
          number: '11',
          what: 'built-in tool definitions, estimated tokens a tool',
          unit: 'tokens',
          limit: FEWEST_OF_PEERS,
          reach: FEWEST_OF_PEERS / 2,
          measured: total / sizes.length / CHARACTERS_PER_TOKEN,
        },
      ],
    }
  },
}

export default topic
