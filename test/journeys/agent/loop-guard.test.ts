import { expect, onTestFinished, test } from 'vitest'
import { defineTool, objectSchema, openHome } from '../../../src/index.ts'
import { exampleTools } from '../../support/example-tools.ts'
import { type ScriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Runs a model that makes one call at each step, and returns how the run ended and at which steps the model had been warned. */
async function run(callAt: (step: number) => ScriptedCall, maxSteps = 40) {
  let counted = 0
  const count = defineTool({
    name: 'count_up',
    description: 'Counts.',
    input: objectSchema({}),
    effect: 'none',
    execute: () => ++counted,
  })
  const home = await openHome({ home: temporaryFolder(), tools: [...(await exampleTools()), count] })
  onTestFinished(() => home.close())
  const session = await (await home.host(temporaryFolder())).session()
  let step = 0
  const model = scriptedModel([() => ({ calls: [callAt(step++)] })])
  const end = await session.send('Go', { model, maxSteps })
  const isWarning = (content: string) => content.startsWith('You have made the same calls')
  const warned = model.requests.findIndex(({ messages }) => messages.some(({ content }) => isWarning(content)))
  return { ...end, warned }
}

const add = (a: number) => ({ name: 'add_numbers', arguments: { a, b: 1 } })

test.each([1, 2, 3, 4])(
  'a cycle of %i calls is warned of at its third round, and stopped at three more',
  async (length) => {
    const { reason, steps, warned } = await run((step) => add(step % length))
    expect({ reason, steps, warned }).toEqual({ reason: 'loop', steps: 6 * length, warned: 3 * length })
  },
)

test('a cycle of five calls, and calls whose results differ, are no loop', async () => {
  expect(await run((step) => add(step % 5))).toMatchObject({ reason: 'limit', steps: 40, warned: -1 })
  expect(await run(() => ({ name: 'count_up' }))).toMatchObject({ reason: 'limit', steps: 40, warned: -1 })
})
