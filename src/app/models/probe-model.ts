import { DEFAULT_WINDOW } from '../../agent/history/fold-context.ts'
import { offerTools, ToolUse } from '../../agent/tools-budget.ts'
import { type Model, ModelError } from '../../core/ports/model.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { definitionsOf } from '../agent/send-message.ts'
import type { Probe } from './models.ts'

/** How long a test chat may take, in seconds: a local server may have to load the model first. */
const LONGEST = 120
/** The most tokens of its reply; models that reason need some hundred. */
const MAX_OUTPUT = 2_048

/** Asks a model to call a tool that does nothing, beside the tools that a run would send. Rejects with ModelError where there is no reply. */
export async function probeModel(model: Model, snapshot?: Snapshot): Promise<Probe> {
  const start = performance.now()
  const signal = AbortSignal.timeout(LONGEST * 1_000)
  const { context: window = DEFAULT_WINDOW } = await model.abilities()
  const offered = snapshot ? offerTools(definitionsOf(snapshot), { snapshot, use: new ToolUse(), window }) : []
  const parts = model.stream({
    messages: [{ role: 'user', content: 'Call the tool haft_probe with the word "ready". Do nothing else.' }],
    tools: [...offered, PROBE_TOOL],
    signal,
    maxOutput: MAX_OUTPUT,
  })
  const problems: string[] = []
  try {
    for await (const part of parts) {
      if (part.type === 'retry') problems.push(part.reason)
      if (part.type !== 'reply') continue
      const { text, calls, usage, repairs } = part.reply
      const isCalled = calls.some(({ name }) => name === PROBE_TOOL.name)
      const irregular = [...problems, ...repairs]
      const milliseconds = performance.now() - start
      return { model: model.name, calls: isCalled, text, usage, repairs: irregular, milliseconds }
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown
    throw new ModelError(`${model.name} did not end its reply within ${LONGEST} seconds.`, { cause: thrown })
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
