import { importHaft } from '../lib/built-haft.ts'
import type { Contestant } from '../lib/contestant.ts'
import { type EchoArguments, echo, echoSchema } from '../lib/echo-tool.ts'
import { type Catalogue, describeTool, makeCatalogue } from './catalogue.ts'
import { HAFT } from './names.ts'

const run = (given: unknown) => echo(given as EchoArguments)

/** Haft's registry in a host, beside the built-in tools: every tool checked, its schema out of its author's reach, the definitions kept. */
export const haft: readonly Contestant<Catalogue>[] = [{ name: HAFT, start: startRegistry }]

async function startRegistry(): Promise<Catalogue> {
  const { createHost, defineTool } = await importHaft()
  const { registry } = await createHost({ workspace: import.meta.dirname })
  return makeCatalogue({
    define(count) {
      for (let i = 0; i < count; i++) {
        const input = echoSchema(` ${i}`)
        registry.register(
          defineTool({ name: `t${i}`, description: describeTool(i), input, effect: 'none', execute: run }),
        )
      }
      return registry
    },
    definitions: () => registry.snapshot().definitions('openai'),
  })
}
