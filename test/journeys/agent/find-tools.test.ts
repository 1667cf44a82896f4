import { expect, test } from 'vitest'
import { defineTool, objectSchema, string, type Tool } from '../../../src/index.ts'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { call, resultsIn, scriptedModel } from '../../support/agents/scripted-model.ts'

/** Two hundred tools with descriptions of some length. */
function manyTools(): Tool[] {
  return Array.from({ length: 200 }, (_, at) =>
    defineTool({
      name: `report_${at}`,
      description: `Makes the report number ${at}${at === 150 ? ' about penguins' : ''}. ${'It has many pages. '.repeat(10)}`,
      input: objectSchema({ title: string('The title of the report') }),
      effect: 'none',
      execute: ({ title }) => `report ${at}: ${title}`,
    }),
  )
}

const WINDOW = { context: 16_000 }

test('with 200 tools and a small window most wait behind find_tools; found ones are offered from the next step on', async () => {
  const { home, host } = await openTestHome({ tools: manyTools() })
  const session = await host.session()
  const model = scriptedModel(
    [
      call('find_tools', { query: 'penguins' }),
      call('report_150', { title: 'Birds' }),
      call('find_tools', { query: 'report 199' }),
      { text: 'done' },
    ],
    WINDOW,
  )
  await session.send('Write about penguins', { model })
  const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name))
  for (const names of offered) {
    expect(names).toContain('find_tools')
    expect(names).toContain('task_complete')
    expect(names.length).toBeLessThan(100)
  }
  expect(offered.map((names) => names.includes('report_150'))).toEqual([false, true, true, true])
  expect(offered.map((names) => names.includes('report_199'))).toEqual([false, false, false, true])
  expect(resultsIn(model.requests[3]?.messages ?? [])[1]).toBe('report 150: Birds')

  // A continued session offers the same.
  const again = scriptedModel([{ text: 'still here' }], WINDOW)
  await (await home.session(session.id)).send('And now?', { model: again })
  expect(again.requests[0]?.tools.map(({ name }) => name)).toEqual(offered[3])
})

test('with a large window all tools are offered, and find_tools is not', async () => {
  const { host } = await openTestHome({ tools: manyTools() })
  const model = scriptedModel([{ text: 'ok' }], { context: 1_000_000 })
  const session = await host.session()
  await session.send('Hello', { model })
  const names = model.requests[0]?.tools.map(({ name }) => name) ?? []
  expect(names).not.toContain('find_tools')
  expect(names.filter((name) => name.startsWith('report_'))).toHaveLength(200)
})

test('find_tools finds only tools of the session', async () => {
  const { host } = await openTestHome({ tools: manyTools() })
  const session = await host.session({ tools: ['report_1', 'read_file'] })
  expect(await session.call('find_tools', { query: 'report' })).toMatchObject({
    ok: true,
    data: { tools: ['report_1'] },
  })
  expect(await session.call('find_tools', { query: 'zebra' })).toMatchObject({ ok: true, data: { tools: [] } })
})
