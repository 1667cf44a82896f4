import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, echo, echoSchema, echoZod } from '../lib/echo-tool.ts'
import { importPeer } from '../lib/import-peer.ts'
import type { Caller } from '../lib/serve-orders.ts'

type TypeBoxCompile = { Compile(schema: object): { Check(value: unknown): boolean } }

/** Validation libraries with a function behind them. */
export const validators: readonly Contestant<Caller>[] = [
  {
    name: 'zod 4 parse + function',
    peer: true,
    async start() {
      const schema = echoZod((await import('zod')).z)
      return { call: () => echo(schema.parse(ARGUMENTS) as typeof ARGUMENTS) }
    },
  },
  {
    name: 'zod 4 parse without JIT + function',
    peer: true,
    async start() {
      const { z } = await import('zod')
      z.config({ jitless: true })
      const schema = echoZod(z)
      return { call: () => echo(schema.parse(ARGUMENTS) as typeof ARGUMENTS) }
    },
  },
  {
    name: 'typebox 1 compiled + function',
    peer: true,
    async start() {
      const { Compile } = await importPeer<TypeBoxCompile>('typebox/compile')
      const validator = Compile(echoSchema())
      return {
        call() {
          if (!validator.Check(ARGUMENTS)) throw new Error('invalid')
          return echo(ARGUMENTS)
        },
      }
    },
  },
]
