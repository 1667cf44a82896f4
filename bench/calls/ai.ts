import type { Contestant } from '../lib/contestant.ts'
import { checkEcho, echo, echoZod, textsOf } from '../lib/echo-tool.ts'
import { aiAnswer, loadAi, mockAiModel } from '../lib/peers.ts'
import type { Caller } from '../lib/serve-orders.ts'
import { AI_RUN, AI_STEP, AI_STEP_64, STEPS } from './names.ts'

/** `ai` calls tools inside generateText; the text-only contestant shows what that costs without one. It is installed for the tests too, so it needs no peers. */
export const ai: readonly Contestant<Caller>[] = [
  { name: 'ai 7 generateText, text only', start: startTextOnly },
  { name: AI_STEP, start: () => startRuns(STEPS, 1) },
  { name: AI_RUN, start: () => startRuns(1, 1) },
  { name: AI_STEP_64, start: () => startRuns(1, 64) },
]

async function startTextOnly(): Promise<Caller> {
  const { generateText } = await loadAi()
  const model = await mockAiModel(async () => aiAnswer('stop', [{ type: 'text', text: 'hi' }]))
  return { call: () => generateText({ model, prompt: 'go', telemetry: { isEnabled: false } }) }
}

async function startRuns(steps: number, callsEach: number): Promise<Caller> {
  const { generateText, tool, isStepCount } = await loadAi()
  const replies = textsOf(steps).map((input, step) =>
    Array.from({ length: callsEach }, (_, i) => ({
      type: 'tool-call',
      toolCallType: 'function',
      toolCallId: `c${step}_${i}`,
      toolName: 'echo',
      input,
    })),
  )
  let made = 0
  const model = await mockAiModel(async () => aiAnswer('tool-calls', replies[made++ % steps] ?? []))
  const inputSchema = echoZod((await import('zod')).z)
  const tools = { echo: tool({ description: 'Echo', inputSchema, execute: echo }) }
  const options = { model, tools, prompt: 'go', stopWhen: isStepCount(steps), telemetry: { isEnabled: false } }
  return {
    callsEach: steps * callsEach,
    async call() {
      const { steps: taken } = await generateText(options)
      const last = taken.at(-1)?.toolResults ?? []
      if (taken.length !== steps || last.length !== callsEach)
        throw new Error(`${taken.length} steps, ${last.length} results`)
      if (steps === 1) checkEcho(last[0]?.output)
    },
  }
}
