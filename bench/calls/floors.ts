import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, echo, echoSchema } from '../lib/echo-tool.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { BARE } from './names.ts'

/** What a call costs with one part of the work and nothing else. */
export const floors: readonly Contestant<Caller>[] = [
  { name: BARE, start: async () => ({ call: () => echo(ARGUMENTS) }) },
  {
    name: 'Map lookup + function',
    async start() {
      const tools = new Map(Array.from({ length: 1000 }, (_, i) => [`t${i}`, { run: echo }]))
      const names = [...tools.keys()]
      return { call: (i) => tools.get(names[i % 1000] ?? '')?.run(ARGUMENTS) }
    },
  },
  {
    name: 'ajv 8 compiled + function',
    async start() {
      const { Ajv } = await import('ajv')
      const validate = new Ajv().compile(echoSchema())
      return {
        call() {
          if (!validate(ARGUMENTS)) throw new Error('invalid')
          return echo(ARGUMENTS)
        },
      }
    },
  },
]
