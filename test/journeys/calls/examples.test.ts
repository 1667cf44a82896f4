import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/example-host.ts'

test('S2.1 S2.3 the example of a tool with preview and cleanup runs as it says', () => {
  const root = join(import.meta.dirname, '../../..')
  const shown = execFileSync(process.execPath, ['examples/preview-and-cleanup.ts'], { cwd: root, encoding: 'utf8' })
  expect(shown.split('\n')).toEqual([
    'add_chapter "Middle"; the person would answer deny',
    '  app: show-diff book.md',
    '  app: close book.md',
    '  DENIED: Denied by user. add_chapter was not run.',
    'add_chapter "Middle"; the person would answer allow',
    '  app: show-diff book.md',
    '  delta: writing the chapter',
    '  app: close book.md',
    '  ok: The book has 22 bytes now.',
    'add_chapter "Middle"; the person would answer allow',
    '  app: close book.md',
    '  CONFLICT: The book has a chapter "Middle" already.',
    '  app: show-diff book.md',
    'in the background: a task id at once',
    '  delta: writing the chapter',
    '  app: close book.md',
    '# Beginning',
    '',
    '# Middle',
    '',
    '# End',
    '',
  ])
})

/** Starts a server that answers chat requests with these messages, one after the other, and keeps the requests. */
async function startModel(replies: readonly object[]): Promise<{ url: string; requests: { messages: object[] }[] }> {
  const requests: { messages: object[] }[] = []
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await text(request)))
    response.end(JSON.stringify({ choices: [{ message: replies[requests.length - 1] }] }))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

test('the example that connects a model runs its calls and sends the results back', async () => {
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'plan.md'), '- tea\n')
  const call = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  })
  const model = await startModel([
    {
      content: null,
      tool_calls: [call('1', 'read_file', "{'path': 'plan.md'}"), call('2', 'delete_file', '{"path":"plan.md"}')],
    },
    { content: 'There is tea in it.' },
  ])
  const example = join(import.meta.dirname, '../../../examples/connect-a-model.ts')
  const env = { ...process.env, OPENAI_BASE_URL: model.url, MODEL: 'any' }
  const { stdout } = await promisify(execFile)(process.execPath, [example, 'What is in plan.md?'], {
    cwd: workspace,
    env,
  })
  expect(stdout).toBe('read_file: ok\ndelete_file: DENIED\nThere is tea in it.\n')
  expect(model.requests[0]).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ type: 'function' })]),
  })
  expect(model.requests[1]?.messages.slice(2)).toMatchObject([
    { role: 'tool', tool_call_id: '1', content: '- tea\n' },
    { role: 'tool', tool_call_id: '2', content: expect.stringContaining('this example approves nothing') },
  ])
})
