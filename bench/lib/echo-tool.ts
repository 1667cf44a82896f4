import type { z } from 'zod'

/** What the one tool of this bench is called with. */
export interface EchoArguments {
  readonly text: string
  readonly count: number
  readonly flag?: boolean | null
}

/** The arguments of every measured call. */
export const ARGUMENTS = { text: 'hello world', count: 3, flag: true } as const

/** The arguments of so many calls as JSON text, each a little different. */
export function textsOf(count: number): string[] {
  return Array.from({ length: count }, (_, i) => JSON.stringify({ ...ARGUMENTS, count: ARGUMENTS.count + i }))
}

/** The tool's work: gives its arguments back. */
export async function echo({ text, count, flag }: EchoArguments): Promise<object> {
  return { text, count, flag }
}

/** The tool's input as JSON Schema: three fields, one optional, each described. */
export function echoSchema(suffix = '') {
  return {
    type: 'object',
    properties: {
      text: { type: 'string', description: `Text to echo${suffix}` },
      count: { type: 'integer', minimum: 0, description: 'A count' },
      flag: { type: 'boolean', description: 'A flag' },
    },
    required: ['text', 'count'],
    additionalProperties: false,
  }
}

/** The same input for the peers that take Zod. */
export function echoZod(zod: typeof z, suffix = '') {
  return zod.object({
    text: zod.string().describe(`Text to echo${suffix}`),
    count: zod.int().min(0).describe('A count'),
    flag: zod.boolean().optional().describe('A flag'),
  })
}

/** The same input for @openai/agents, which wants every field required. */
export function echoZodRequired(zod: typeof z, suffix = '') {
  return echoZod(zod, suffix).extend({ flag: zod.boolean().nullable().describe('A flag') })
}

/** Throws where a contestant did not really echo: a fast wrong answer wins no race. */
export function checkEcho(result: unknown): void {
  if (typeof result !== 'object' || result === null || !('count' in result) || result.count !== ARGUMENTS.count) {
    throw new Error(`the tool did not echo: ${JSON.stringify(result)}`)
  }
}
