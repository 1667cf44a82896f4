import { expect, onTestFinished, test } from 'vitest'
import { openHome } from '../../../src/index.ts'
import { exampleTools } from '../../support/example-tools.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

test('a model is sent what the log has: secrets of the system prompt, messages, replies and arguments are masked, in the first run and after a restart', async () => {
  const folder = temporaryFolder()
  const system = `Use ${TOKEN} with care.`
  const first = await openHome({ home: folder, tools: await exampleTools() })
  onTestFinished(() => first.close())
  const session = await (await first.host(temporaryFolder())).session()
  const model = scriptedModel([
    { text: `I use ${TOKEN}.`, calls: [{ name: 'add_numbers', arguments: { a: 1, b: 2, note: TOKEN } }] },
    { text: 'Once more.', calls: [{ name: 'add_numbers', arguments: { a: 1, b: 3 } }] },
    { text: 'Done.' },
  ])
  expect(await session.send(`Here is ${TOKEN}`, { model, system })).toMatchObject({ reason: 'reply', steps: 3 })
  expect(JSON.stringify(model.requests)).not.toContain(TOKEN)
  const sent = model.requests.at(-1)?.messages ?? []
  expect(sent.slice(0, 3).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^Use \[masked [0-9a-f]{4}\] with care\.$/),
    expect.stringMatching(/^Here is \[masked [0-9a-f]{4}\]$/),
    expect.stringMatching(/^I use \[masked [0-9a-f]{4}\]\.$/),
  ])
  const prompts = (await session.events()).filter((event) => event.type === 'message' && event.role === 'system')
  expect(prompts).toHaveLength(1)
  await first.close()

  const second = await openHome({ home: folder, tools: await exampleTools() })
  onTestFinished(() => second.close())
  const resumed = scriptedModel([{ text: 'Yes.' }])
  await (await second.session(session.id)).send('Sure?', { model: resumed, system })
  expect(resumed.requests[0]?.messages.slice(0, sent.length)).toEqual(sent)
})
