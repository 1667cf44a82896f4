import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestHome } from '../../support/agents/open-test-home.ts'
import { modelOf, resultsIn } from '../../support/agents/scripted-model.ts'
import { startAgentWorker } from '../../support/agents/start-agent-worker.ts'
import { haft } from '../../support/built-program.ts'
import { eventually } from '../../support/processes.ts'
import { eventsOf, setUpRun, type Wire } from '../../support/run-command.ts'

const CHANGE = { name: 'write_file', arguments: { path: 'a.txt', content: 'new\n' } }
const QUESTION = { name: 'ask_user', arguments: { question: 'Which?', options: ['tea', 'coffee'] } }

/** Starts `haft run --wait` with a model that makes this call, and kills it once it waits for a person. */
async function killWhileWaiting(wire: Wire, made: typeof CHANGE | typeof QUESTION) {
  const { program, run, model, env, server } = await setUpRun(wire, [{ calls: [made] }, { text: 'Now I go on.' }])
  writeFileSync(join(program.workspace, 'a.txt'), 'old\n')
  const killer = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
  const ended = run(['do it', '--wait'], { onStart: killer.resolve })
  const list = async () => JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  await eventually(async () => {
    const { approvals, inputs } = await list()
    return approvals.length + inputs.length === 1
  })
  const { approvals, inputs } = await list()
  ;(await killer.promise)('SIGKILL')
  expect((await ended).code).toBeNull()
  const id: string = approvals[0]?.id ?? inputs[0]?.input
  return {
    program,
    run,
    server,
    model,
    id,
    list,
    answer: (...args: string[]) => haft(program, ['approvals', id, ...args], { env }),
  }
}

describe.each(['ollama', 'openai'] as const)('a run that was killed while it waited, on the wire of %s', (wire) => {
  test('goes on where its approval is answered yes', async () => {
    const { program, server, answer, list } = await killWhileWaiting(wire, CHANGE)
    const { code, stdout, stderr } = await answer('yes')
    expect(stdout).toMatch(/^(?:.*\n)+Now I go on\.\n$/)
    expect(stderr).toContain('it goes on here')
    expect(code).toBe(0)
    expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('new\n')
    expect(JSON.stringify(server.chats().at(-1)?.body)).toContain('Wrote 4 bytes')
    expect(server.chats()).toHaveLength(2)
    expect(await list()).toEqual({ approvals: [], inputs: [] })
  })

  test('goes on where its approval is answered no, and the model is told', async () => {
    const { program, server, answer } = await killWhileWaiting(wire, CHANGE)
    const { stdout } = await answer('no', '--reason', 'keep it')
    expect(stdout).toContain('Now I go on.')
    expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('old\n')
    expect(JSON.stringify(server.chats().at(-1)?.body)).toContain('Denied by user: keep it')
  })

  test('goes on where the question of the model is answered', async () => {
    const { program, server, answer, id } = await killWhileWaiting(wire, QUESTION)
    const shown = await haft(program, ['approvals', id])
    expect(shown.stdout).toMatch(/Which\?[\s\S]*1\. tea[\s\S]*2\. coffee/)
    const { code, stdout } = await answer('2')
    expect(stdout).toBe(`${id}: answered.\nNow I go on.\n`)
    expect(code).toBe(0)
    expect(JSON.stringify(server.chats().at(-1)?.body)).toContain('coffee')
    expect(await answer('1')).toMatchObject({ code: 1 })
  })
})

test('a message instead of the answer: the request is withdrawn and the model is told that nothing was done', async () => {
  for (const made of [CHANGE, QUESTION]) {
    const { program, run, server, answer, list } = await killWhileWaiting('openai', made)
    expect(await run(['--continue', 'leave it'])).toMatchObject({ code: 0, stdout: 'Now I go on.\n' })
    expect(JSON.stringify(server.chats().at(-1)?.body)).toMatch(
      /INTERRUPTED: .*Nothing was done, so it can be repeated/,
    )
    expect(await list()).toEqual({ approvals: [], inputs: [] })
    expect(await answer('yes')).toMatchObject({ code: 1 })
    expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('old\n')
  }
})

test('haft run --continue without a message goes on with a run that was killed, and says so where there is none', async () => {
  const { run, server } = await setUpRun('openai', [
    { calls: [{ name: 'list_directory', arguments: { path: '.' } }] },
    async (response) => {
      response.writeHead(200).write('\n')
      ;(await killer.promise)('SIGKILL')
    },
    { text: 'Here again.' },
  ])
  const killer = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
  expect((await run(['look'], { onStart: killer.resolve })).code).toBeNull()
  const ended = await run(['--continue', '--json'])
  expect(ended.code).toBe(0)
  expect(eventsOf(ended).at(-1)).toMatchObject({ type: 'run-end', reason: 'reply', summary: 'Here again.' })
  const sent = JSON.stringify(server.chats().at(-1)?.body)
  expect(sent.match(/"role":"user"/g)).toHaveLength(1)
  const again = await run(['--continue'])
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('There is no cut-off run to go on with')
})

test('a run with two questions goes on once both are answered, in whatever process', async () => {
  const place = await openTestHome()
  const worker = await startAgentWorker(place)
  const id = String(await worker.order('askTwice'))
  const { home } = place
  await eventually(async () => (await home.inputs.list()).length === 2)
  const session = await home.session(id)
  const model = modelOf(({ messages }) => ({ text: resultsIn(messages).join(' and ') }))
  const [first, second] = await home.inputs.list()
  // While its process lives, nobody else goes on with it.
  expect(await session.resume({ model })).toBeUndefined()
  await worker.process.kill()
  expect(await home.inputs.answer(first?.input ?? '', 'one')).toEqual({ ok: true })
  expect(await session.resume({ model })).toBeUndefined()
  expect(await home.inputs.answer(second?.input ?? '', 'two')).toEqual({ ok: true })
  expect(await session.resume({ model })).toMatchObject({ reason: 'reply', summary: 'one and two' })
  expect(await session.resume({ model })).toBeUndefined()
  expect((await session.events()).filter(({ type }) => type === 'run-end')).toHaveLength(1)
})
