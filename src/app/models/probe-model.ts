import { type Model, ModelError } from '../../core/ports/model.ts'
import type { Probe } from './models.ts'

/** How long a test chat may take, in milliseconds: a local server may have to load the model first. */
const LONGEST = 120_000

/** Asks a model to call a tool that does nothing. Rejects with ModelError where there is no reply. */
export async function probeModel(model: Model): Promise<Probe> {
  const start = performance.now()
  const parts = model.stream({
    messages: [{ role: 'user', content: 'Call the tool haft_probe with the word "ready". Do nothing else.' }],
    tools: [PROBE_TOOL],
    signal: AbortSignal.timeout(LONGEST),
  })
  for await (const part of parts) {
    if (part.type !== 'reply') continue
    const { text, calls, usage, repairs } = part.reply
    const isCalled = calls.some(({ name }) => name === PROBE_TOOL.name)
    return { model: model.name, calls: isCalled, text, usage, repairs, milliseconds: performance.now() - start }
  }
  throw new ModelError('The model ended without a reply.')
}

const PROBE_TOOL = {
  name: 'haft_probe',
  description: 'Tests whether tools can be called. Does nothing.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word "ready"' } },
    required: ['word'],
  },
} as const
