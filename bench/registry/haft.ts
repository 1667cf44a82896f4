import { createRegistry } from '../../src/registry/registry.ts'
import { importHaft } from '../lib/built-haft.ts'
import type { Contestant } from '../lib/contestant.ts'
import { type EchoArguments, echo, echoSchema } from '../lib/echo-tool.ts'
import { type Catalogue, describeTool, makeCatalogue } from './catalogue.ts'
import { HAFT } from './names.ts'

const run = (given: unknown) => echo(given as EchoArguments)

/** Haft's registry: every tool checked and frozen, the definitions kept with the snapshot. */
export const haft: readonly Contestant<Catalogue>[] = [{ name: HAFT, start: startRegistry }]

async function startRegistry(): Promise<Catalogue> {
  const { defineTool } = await importHaft()
  return makeCatalogue({
    define(count) {
      const registry = createRegistry()
      for (let i = 0; i < count; i++) {
        const input = echoSchema(` ${i}`)
        registry.register(
          defineTool({ name: `t${i}`, description: describeTool(i), input, effect: 'none', execute: run }),
        )
      }
      return registry
    },
    definitions: (registry) => registry.snapshot().definitions('openai'),
  })
}
