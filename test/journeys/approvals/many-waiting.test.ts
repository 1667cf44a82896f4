import { expect, test } from 'vitest'
import { type BuiltProgram, haft } from '../../support/built-program.ts'
import { startTestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'

const MAIN = new URL('../../../dist/main.js', import.meta.url).pathname

test('no request of more than a thousand that wait is missing in any list, nor the question and the task before them', async () => {
  const { home, client, folder, workspace } = await startTestServer()
  const host = await home.host(workspace)
  void host.call('ask_user', { question: 'Which one?' })
  await eventually(async () => (await home.inputs.list()).length === 1)
  const { id: task } = host.start('write_note', { path: 'first.txt', text: 'x', background: true })
  await eventually(async () => (await home.approvals.list()).length === 1)
  for (let i = 0; i < 1_100; i++) void host.call('write_note', { path: `${i}.txt`, text: 'x' })
  await eventually(async () => (await home.approvals.list()).length === 1_101)
  for (let i = 0; i < 110; i++) await host.call('add_numbers', { a: 1, b: i, background: true })

  const paths = (await home.approvals.list()).map(({ request }) =>
    String(Reflect.get(Object(request.arguments), 'path')),
  )
  expect(new Set(paths).size).toBe(1_101)
  expect((await client.listApprovals()).approvals).toHaveLength(1_101)
  expect((await client.listInputs()).inputs).toMatchObject([{ question: 'Which one?' }])
  expect((await home.tasks.list()).map(({ task: id }) => id)).toContain(task)
  expect((await client.listTasks()).tasks.filter(({ state }) => state === 'waiting')).toMatchObject([{ task }])

  const program: BuiltProgram = { main: MAIN, tools: '', workspace, home: folder }
  const listed = JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  expect(listed.approvals).toHaveLength(1_101)
  expect(listed.inputs).toMatchObject([{ question: 'Which one?' }])
  expect((await haft(program, ['tasks'])).stdout).toContain(task)
})
