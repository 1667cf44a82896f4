import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Approver, Host } from '../../../src/index.ts'
import { createDemoModel } from '../../../src/models/demo/demo-model.ts'
import { drive } from '../../support/drive-model.ts'
import { exampleHost } from '../../support/example-host.ts'

const model = createDemoModel({ pause: 0 })

/** Says something to the demo model, whose calls run in a real host. */
async function talk(host: Host, message: string, approver?: Approver) {
  const tools = host.registry.snapshot().tools.map(({ tool, wireName, offered }) => {
    return { name: wireName, description: tool.description, parameters: offered }
  })
  const { replies } = await drive(model, { message, tools }, async (name, given) => {
    const result = await host.call(name, given, approver ? { approver } : {})
    return result.ok ? result.text : { content: `${result.code}: ${result.text}`, code: result.code }
  })
  return replies.map(({ text }) => text)
}

test('the first minute: a file is written, listed, searched, read and counted by a command', async () => {
  const host = await exampleHost()
  const message =
    'write hello.txt with "Hello\nworld" then list then search for world then find *.txt then read hello.txt then run wc -l < hello.txt'
  const texts = await talk(host, message)
  expect(texts).toEqual([
    'I will write `hello.txt`.',
    '`hello.txt` is written; `haft undo` can take that back. I will list this folder.',
    'I see 1 name in this folder: `hello.txt`. I will search for `world`.',
    '`world` stands in 1 line of 1 file:\n\n```\nhello.txt:2: world\n```\n\nI will look for files that match `*.txt`.',
    '1 file matches `*.txt`: `hello.txt`. I will read `hello.txt`.',
    'Here are 2 lines of `hello.txt`:\n\n```\nHello\nworld\n```\n\nI will run `wc -l < hello.txt`.',
    'It printed “1”.',
  ])
})

test('a change to a file asks the person, and the reply says what came of it', async () => {
  const host = await exampleHost()
  const file = join(host.workspace, 'a.txt')
  writeFileSync(file, 'milk\n')
  const asked: ApprovalRequest[] = []
  const answer = (approved: boolean): Approver => ({
    name: 'test',
    ask: async (question) => {
      asked.push(question)
      return approved ? { approved } : { approved, reason: 'keep it' }
    },
  })
  const edited = await talk(host, 'edit a.txt replace milk with bread', answer(true))
  expect(edited[1]).toMatch(/^`a\.txt` is changed; `haft undo` can take that back\.$/)
  expect(readFileSync(file, 'utf8')).toBe('bread\n')
  const kept = await talk(host, 'delete a.txt then list', answer(false))
  expect(kept.at(-1)).toMatch(
    /^I was not allowed to delete `a\.txt`: .*keep it.* I leave out the command that was to follow\.$/,
  )
  expect(existsSync(file)).toBe(true)
  expect(asked.map(({ tool }) => tool)).toEqual(['edit_file', 'delete_file'])
})

test('what a rule forbids and what is not there is reported in plain words', async () => {
  const host = await exampleHost()
  expect((await talk(host, 'run rm -rf /')).at(-1)).toMatch(/^A rule stops me from doing that: /)
  expect((await talk(host, 'read none.txt')).at(-1)).toMatch(/^That did not work: .*none\.txt/)
})
