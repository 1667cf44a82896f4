import { join } from 'node:path'
import { loadToolFolder } from '../../src/registry/load-folder.ts'
import { createRegistry } from '../../src/registry/registry.ts'
import { type Failed, reasonOf } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber } from '../lib/numbers.ts'
import type { Report, RunOptions, Topic } from '../lib/topic-shape.ts'
import type { Definition } from './definitions.ts'
import { programs } from './programs.ts'
import { recordTools } from './record-tools.ts'

/** Tokens of a text. */
type Count = (text: string) => number

/** Without the tokenizer: English and JSON come to about four characters a token. */
const estimate: Count = (text) => text.length / 4

/** Without the peers: the fewest tokens a tool among them, as last measured here (gemini-cli 0.61.0). */
const FEWEST_BEFORE = 303.5

const topic: Topic = {
  about:
    'The size of the built-in tool definitions, as a model reads them on every turn: name, description and parameters of each as JSON. The peers are asked by a recording server on this machine; tokens are those of o200k_base.',
  async run({ peers }: RunOptions): Promise<Report> {
    const count = peers ? await loadTokenizer() : estimate
    const own = await ownDefinitions()
    const { recorded, failed } = peers ? await recordAll() : { recorded: new Map(), failed: [] }
    const perTool = [...recorded.values()].map((definitions) => tokensPerTool(definitions, count))
    const limit = perTool.length > 0 ? Math.min(...perTool) : FEWEST_BEFORE
    return {
      markdown: joinParts(
        peers ? '' : 'Without the peers tokens are estimated as characters divided by four.',
        compareTable(new Map([['Haft', own], ...recorded]), count),
        toolTable(own, count),
        listFailed(failed),
      ),
      gates: [
        {
          number: '11',
          what: `built-in tool definitions, tokens a tool${peers ? '' : ' (estimated)'}; the limit is the smallest of codex, gemini-cli and opencode`,
          unit: 'tokens',
          limit: Number(limit.toFixed(1)),
          reach: Number((limit / 2).toFixed(1)),
          // A peer that could not be measured might be the smallest.
          measured: failed.length > 0 ? undefined : tokensPerTool(own, count),
        },
      ],
    }
  },
}

export default topic

async function ownDefinitions(): Promise<readonly Definition[]> {
  const registry = createRegistry()
  const loaded = await loadToolFolder(join(import.meta.dirname, '../../src/tools'))
  registry.setSource('built-in', loaded, 'built-in')
  return registry.toOpenAIFunctions()
}

/** The package is installed only for this topic, so its type is given here. */
async function loadTokenizer(): Promise<Count> {
  const name: string = 'gpt-tokenizer/encoding/o200k_base'
  const { countTokens } = (await import(name)) as { countTokens: Count }
  return countTokens
}

async function recordAll(): Promise<{ recorded: Map<string, readonly Definition[]>; failed: Failed[] }> {
  const recorded = new Map<string, readonly Definition[]>()
  const failed: Failed[] = []
  for (const program of programs) {
    try {
      recorded.set(program.name, await recordTools(program))
    } catch (thrown) {
      failed.push({ name: program.name, reason: reasonOf(thrown) })
    }
  }
  return { recorded, failed }
}

function tokensOf({ name, description, parameters }: Definition, count: Count): number {
  return count(JSON.stringify({ name, description, parameters }))
}

function tokensPerTool(definitions: readonly Definition[], count: Count): number {
  return definitions.reduce((sum, one) => sum + tokensOf(one, count), 0) / definitions.length
}

function compareTable(all: ReadonlyMap<string, readonly Definition[]>, count: Count): string {
  return makeTable(
    ['program', 'tools', 'tokens', 'tokens a tool'],
    [...all].map(([name, definitions]) => {
      const each = tokensPerTool(definitions, count)
      return [name, `${definitions.length}`, formatNumber(each * definitions.length, 0), formatNumber(each, 1)]
    }),
  )
}

function toolTable(own: readonly Definition[], count: Count): string {
  const sizes = own.map((one) => ({ name: one.name, tokens: tokensOf(one, count) }))
  return makeTable(
    ['tool', 'tokens'],
    sizes.toSorted((a, b) => b.tokens - a.tokens).map(({ name, tokens }) => [name, formatNumber(tokens, 0)]),
  )
}
