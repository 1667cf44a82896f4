import type { Contestant } from '../lib/contestant.ts'
import { echo, echoSchema, echoZod, echoZodRequired } from '../lib/echo-tool.ts'
import { importPeer } from '../lib/import-peer.ts'
import {
  type AiDefinition,
  aiAnswer,
  loadAgents,
  loadAi,
  loadLangChain,
  loadMastra,
  mockAiModel,
} from '../lib/peers.ts'
import { type Catalogue, describeTool, makeCatalogue, makeEach, openAIFunction } from './catalogue.ts'

type FunctionCalling = { convertToOpenAITool(tool: object): object }

/** Tool libraries, each by its own way to say tools to a model. */
export const libraries: readonly Contestant<Catalogue>[] = [
  { name: 'ai 7 (one generateText step, Zod)', peer: true, start: startAiZod },
  { name: 'ai 7 (one generateText step, jsonSchema)', peer: true, start: startAiJson },
  { name: '@langchain/core (convertToOpenAITool)', peer: true, start: startLangChain },
  { name: '@openai/agents', peer: true, start: startAgents },
  { name: '@mastra/core', peer: true, start: startMastra },
]

async function startAiZod(): Promise<Catalogue> {
  const { z } = await import('zod')
  return startAi((i) => echoZod(z, ` ${i}`))
}

async function startAiJson(): Promise<Catalogue> {
  const { jsonSchema } = await loadAi()
  return startAi((i) => jsonSchema(echoSchema(` ${i}`)))
}

/** `ai` makes definitions only on the way to a model, so a mock one is asked and what reached it is taken. */
async function startAi(makeSchema: (i: number) => object): Promise<Catalogue> {
  const { generateText, tool } = await loadAi()
  let seen: readonly AiDefinition[] = []
  const model = await mockAiModel(async ({ tools = [] }) => {
    seen = tools
    return aiAnswer('stop', [{ type: 'text', text: 'hi' }])
  })
  return makeCatalogue({
    define: (count) =>
      Object.fromEntries(
        makeEach(count, (i) => {
          const spec = { description: describeTool(i), inputSchema: makeSchema(i), execute: echo }
          return [`t${i}`, tool(spec)]
        }),
      ),
    async definitions(tools) {
      await generateText({ model, tools, prompt: 'go' })
      return JSON.stringify(
        seen.map(({ name, description, inputSchema }) => openAIFunction(name, description, inputSchema)),
      )
    },
  })
}

async function startLangChain(): Promise<Catalogue> {
  const { tool } = await loadLangChain()
  const { convertToOpenAITool } = await importPeer<FunctionCalling>('@langchain/core/utils/function_calling')
  const { z } = await import('zod')
  return makeCatalogue({
    define: (count) =>
      makeEach(count, (i) => tool(echo, { name: `t${i}`, description: describeTool(i), schema: echoZod(z, ` ${i}`) })),
    definitions: (tools) => JSON.stringify(tools.map((made) => convertToOpenAITool(made))),
  })
}

async function startAgents(): Promise<Catalogue> {
  const { tool } = await loadAgents()
  const { z } = await import('zod')
  return makeCatalogue({
    define: (count) =>
      makeEach(count, (i) => {
        const parameters = echoZodRequired(z, ` ${i}`)
        return tool({ name: `t${i}`, description: describeTool(i), parameters, execute: echo })
      }),
    definitions: (tools) =>
      JSON.stringify(tools.map(({ name, description, parameters }) => openAIFunction(name, description, parameters))),
  })
}

async function startMastra(): Promise<Catalogue> {
  const { createTool } = await loadMastra()
  const { z } = await import('zod')
  return makeCatalogue({
    define: (count) =>
      makeEach(count, (i) =>
        createTool({ id: `t${i}`, description: describeTool(i), inputSchema: echoZod(z, ` ${i}`), execute: echo }),
      ),
    definitions: (tools) =>
      JSON.stringify(
        tools.map(({ id, description, inputSchema }) =>
          openAIFunction(id, description, inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' })),
        ),
      ),
  })
}
