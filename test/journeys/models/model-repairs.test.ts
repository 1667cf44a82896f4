import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEventMask } from '../../../src/core/secrets/mask-event.ts'
import { type EventBody, openHome } from '../../../src/index.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { exampleTools } from '../../support/example-tools.ts'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'

/** Writes the events of runs as the agent loop does. */
async function logRuns({ home, workspace }: BuiltProgram, sessions: Readonly<Record<string, readonly EventBody[]>>) {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const storage = openSqliteStorage({ path: join(home, 'log.db'), mask: createEventMask() })
  for (const [session, events] of Object.entries(sessions)) {
    storage.log.append({ type: 'session-start', session, workspace, mode: 'ask' })
    for (const event of events) storage.log.append(event)
  }
  await storage.log.flush()
  await storage.close()
}

const run = (session: string, model: string, repairs: readonly (readonly string[])[]): EventBody[] => [
  { type: 'run-start', session, model, mode: 'ask' },
  ...repairs.map((one, step): EventBody => {
    return { type: 'model-call', session, step, usage: {}, ms: 5, ...(one.length > 0 && { repairs: one }) }
  }),
  { type: 'run-end', session, reason: 'reply', steps: repairs.length },
]

const PRINTED = 'Read a call printed as text (Mistral): read_file.'

test('haft doctor and haft log count per model what was read and repaired', async () => {
  const program = buildProgram()
  await logRuns(program, {
    s_one: run('s_one', 'ollama:qwen3:8b', [[PRINTED], [], [PRINTED, 'A call without a name was left out.']]),
    s_two: run('s_two', 'work', [[]]),
  })
  const seen =
    '3 replies, 2 of them repaired: Read calls printed as text (Mistral) 2 times, A call without a name was left out once'
  const { findings } = JSON.parse((await haft(program, ['doctor', '--json'])).stdout)
  expect(findings).toContainEqual({ what: 'model', holds: true, seen: `ollama:qwen3:8b: ${seen}` })
  expect(findings).toContainEqual({ what: 'model', holds: true, seen: 'work: 1 reply, none repaired' })

  const { models, calls } = JSON.parse((await haft(program, ['log', '--json'])).stdout)
  expect(models).toMatchObject([
    { model: 'work', replies: 1, repairedReplies: 0, repairs: [] },
    { model: 'ollama:qwen3:8b', replies: 3, repairedReplies: 2, repairs: [{ count: 2 }, { count: 1 }] },
  ])
  expect(calls).toEqual([])
  const { stdout } = await haft(program, ['log', 's_one'])
  expect(stdout).toContain(`ollama:qwen3:8b  ${seen}`)
  expect(stdout).not.toContain('work')
})

test('a call that a model prints as text is run by the loop, and counted', async () => {
  const program = buildProgram()
  const printed = '<tool_call>{"name": "add_numbers", "arguments": {"a": "1", "b": 2}}</tool_call>'
  const server = await startModelServer({ chats: [openAiReply({ text: printed }), openAiReply({ text: 'It is 3.' })] })
  mkdirSync(program.home, { mode: 0o700 })
  const table = `[models.work]\nprovider = "openai"\nbase_url = "${server.url}/v1"\nmodel = "m"\n`
  writeFileSync(join(program.home, 'settings.toml'), table)
  const home = await openHome({ home: program.home, tools: await exampleTools() })
  const session = await (await home.host(program.workspace)).session()
  expect(await session.send('Add 1 and 2', { model: 'work' })).toMatchObject({ reason: 'reply', summary: 'It is 3.' })
  await home.close()
  const { models } = JSON.parse((await haft(program, ['log', '--json'])).stdout)
  expect(models).toMatchObject([{ model: 'work', replies: 2, repairedReplies: 1, calls: 1 }])
  expect(models[0].repairs[0]).toEqual({ repair: 'Read calls printed as text (Hermes, Qwen, GLM)', count: 1 })
})

test('a log without a model says nothing of models', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  expect(Object.keys(JSON.parse((await haft(program, ['log', '--json'])).stdout))).toEqual(['sessions', 'calls'])
  const { findings } = JSON.parse((await haft(program, ['doctor', '--json'])).stdout)
  expect(findings.map(({ what }: { what: string }) => what)).not.toContain('model')
})
