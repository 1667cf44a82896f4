import type { Contestant } from '../lib/contestant.ts'
import { ARGUMENTS, checkEcho, echo, echoZod } from '../lib/echo-tool.ts'
import { aiAnswer, loadAi, mockAiModel } from '../lib/peers.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { AI_STEP, AI_STEP_64 } from './names.ts'

/** `ai` calls tools inside generateText; the text-only contestant shows what that costs without one. It is installed for the tests too, so it needs no peers. */
export const ai: readonly Contestant<Caller>[] = [
  { name: 'ai 7 generateText, text only', start: startTextOnly },
  { name: AI_STEP, start: () => startCalls(1) },
  { name: AI_STEP_64, start: () => startCalls(64) },
]

async function startTextOnly(): Promise<Caller> {
  const { generateText } = await loadAi()
  const model = await mockAiModel(async () => aiAnswer('stop', [{ type: 'text', text: 'hi' }]))
  return { call: () => generateText({ model, prompt: 'go', telemetry: { isEnabled: false } }) }
}

async function startCalls(callsEach: number): Promise<Caller> {
  const { generateText, tool, isStepCount } = await loadAi()
  const input = JSON.stringify(ARGUMENTS)
  const calls = Array.from({ length: callsEach }, (_, i) => ({
    type: 'tool-call',
    toolCallType: 'function',
    toolCallId: `c${i}`,
    toolName: 'echo',
    input,
  }))
  const model = await mockAiModel(async () => aiAnswer('tool-calls', calls))
  const inputSchema = echoZod((await import('zod')).z)
  const tools = { echo: tool({ description: 'Echo', inputSchema, execute: echo }) }
  const options = { model, tools, prompt: 'go', stopWhen: isStepCount(1), telemetry: { isEnabled: false } }
  return {
    callsEach,
    async call() {
      const { toolResults } = await generateText(options)
      if (toolResults.length !== callsEach) throw new Error(`${toolResults.length} results`)
      checkEcho(toolResults[0]?.output)
    },
  }
}
