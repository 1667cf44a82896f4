import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, checkEcho, echo, echoSchema, echoZod, echoZodRequired } from '../lib/echo-tool.ts'
import { loadAgents, loadLangChain, loadMastra } from '../lib/peers.ts'
import type { Caller } from '../lib/serve-orders.ts'

/** Tool libraries, each by its own way to call one tool. */
export const libraries: readonly Contestant<Caller>[] = [
  {
    name: '@langchain/core tool.invoke, Zod',
    peer: true,
    start: async () => startLangChain(echoZod((await import('zod')).z)),
  },
  { name: '@langchain/core tool.invoke, JSON Schema', peer: true, start: () => startLangChain(echoSchema()) },
  { name: '@openai/agents tool.invoke', peer: true, start: startAgents },
  { name: '@mastra/core createTool.execute', peer: true, start: startMastra },
]

async function startLangChain(schema: object): Promise<Caller> {
  const { tool } = await loadLangChain()
  const made = tool(echo, { name: 'echo', description: 'Echo', schema })
  checkEcho(await made.invoke(ARGUMENTS))
  return { call: () => made.invoke(ARGUMENTS) }
}

async function startAgents(): Promise<Caller> {
  const { tool, RunContext } = await loadAgents()
  const parameters = echoZodRequired((await import('zod')).z)
  const made = tool({ name: 'echo', description: 'Echo', parameters, execute: echo })
  const context = new RunContext()
  const text = JSON.stringify(ARGUMENTS)
  checkEcho(await made.invoke(context, text))
  return { call: () => made.invoke(context, text) }
}

async function startMastra(): Promise<Caller> {
  const { createTool } = await loadMastra()
  const inputSchema = echoZod((await import('zod')).z)
  const made = createTool({ id: 'echo', description: 'Echo', inputSchema, execute: echo })
  checkEcho(await made.execute(ARGUMENTS, {}))
  return { call: () => made.execute(ARGUMENTS, {}) }
}
