import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { eventsOf, setUpRun } from '../../support/run-command.ts'

/** Runs a prompt with the demo model; returns the id of its session. */
async function talk(program: BuiltProgram, ...args: string[]): Promise<string> {
  const events = eventsOf(await haft(program, ['run', ...args, '--model', 'demo', '--json']))
  return events[0]?.session ?? ''
}

test('haft sessions lists conversations, not single calls, and shows one with its messages and calls', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'a.txt'), 'milk\n')
  await haft(program, ['call', 'read_file', '{"path":"a.txt"}'])
  const first = await talk(program, 'read a.txt')
  const second = await talk(program, 'list the files')
  const listed = await haft(program, ['sessions'])
  expect(listed.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${second} .*demo .*list the files$`)),
    expect.stringMatching(new RegExp(`^${first} .*demo .*read a\\.txt$`)),
  ])
  const shown = await haft(program, ['sessions', first.slice(0, -2)])
  expect(shown.stdout).toMatch(/> You .*\n {2}read a\.txt\n {2}Model .*\n {2}I will read[\s\S]*✓ read_file a\.txt/)
  expect(JSON.parse((await haft(program, ['sessions', first, '--json'])).stdout)).toMatchObject({ session: first })
  expect((await haft(program, ['sessions', 's_nope'])).code).toBe(1)
  expect((await haft(program, ['sessions', first, 'shred'])).code).toBe(2)
})

test('a plan is not a conversation: it is neither listed nor gone on with, and haft why looks at the last conversation', async () => {
  const program = buildProgram()
  const own = await talk(program, 'list the files')
  const plan = { goal: 'Nothing.', model: 'demo', jobs: [{ id: 'a', prompt: 'list files' }] }
  writeFileSync(join(program.workspace, 'plan.json'), JSON.stringify(plan))
  expect((await haft(program, ['plan', 'plan.json'])).code).toBe(0)
  expect((await haft(program, ['sessions'])).stdout.trim().split('\n')).toEqual([expect.stringMatching(`^${own} `)])
  expect((await haft(program, ['why', 'shell'])).stdout).toContain(`session ${own}`)
  expect(await talk(program, 'read plan.json', '--continue')).toBe(own)
})

test('haft sessions ID delete removes a session', async () => {
  const program = buildProgram()
  const id = await talk(program, 'help')
  expect(await haft(program, ['sessions', id, 'delete'])).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n` })
  expect(JSON.parse((await haft(program, ['sessions', '--json'])).stdout).sessions).toEqual([])
  expect((await haft(program, ['run', 'x', '--continue', id])).code).toBe(1)
})

test('haft log SESSION shows its messages above its calls', async () => {
  const program = buildProgram()
  const id = await talk(program, 'list the files')
  const { stdout } = await haft(program, ['log', id])
  expect(stdout).toMatch(/you {4}list the files\n.* model .*\n[\s\S]*\n\n.*list_directory +ok/)
  const { messages } = JSON.parse((await haft(program, ['log', id, '--json'])).stdout)
  expect(messages[0]).toMatchObject({ role: 'user', content: 'list the files' })
})

test('haft export prints Markdown in which nothing that a model or tool wrote can end its code block', async () => {
  const { program, run } = await setUpRun('openai', [
    { text: 'Look:', calls: [{ id: 'c', name: 'read_file', arguments: { path: 'a.md' } }] },
    { text: 'It has a fence. \u001b[2J' },
  ])
  writeFileSync(join(program.workspace, 'a.md'), '```js\nx\n```\n# not a heading\n')
  await run(['read a.md'])
  const { sessions } = JSON.parse((await haft(program, ['sessions', '--json'])).stdout)
  const { stdout } = await haft(program, ['export', sessions[0].session])
  expect(stdout).toMatch(/^# read a\.md\n\n- Session: `s_/)
  expect(stdout).toMatch(/### Call: `read_file`\n\n```json\n\{\n {2}"path": "a\.md"\n\}\n```/)
  expect(stdout).toMatch(/\n````\n[\s\S]*```js\nx\n```\n# not a heading[\s\S]*\n````\n/)
  expect(stdout).toContain('\\u{1b}[2J')
  expect((await haft(program, ['export', 's_nope'])).code).toBe(1)
})

test('a session that is gone on with keeps its tools and model, and starts once', async () => {
  const program = buildProgram()
  const id = await talk(program, 'list the files', '--tools', 'list_directory')
  const again = eventsOf(await haft(program, ['run', '--continue', id, 'write a.txt with "x"', '--json']))
  expect(again.map(({ type }) => type)).not.toContain('session-start')
  expect(again.find(({ type }) => type === 'run-start')).toMatchObject({ model: 'demo' })
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  const shown = JSON.parse((await haft(program, ['sessions', id, '--json'])).stdout)
  expect(shown).toMatchObject({ tools: ['list_directory'], model: 'demo' })
})

test('haft why answers as JSON too, and about a session that is named', async () => {
  const program = buildProgram()
  const id = await talk(program, 'list the files')
  await talk(program, 'help')
  const { stdout } = await haft(program, ['why', 'list_directory', '--session', id, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ tool: 'list_directory', session: id, findings: [{ cause: 'used' }] })
  expect((await haft(program, ['why', 'list_directory'])).stdout).toContain('never-called')
  expect((await haft(program, ['why', 'list_directory', '--session', 's_nope'])).code).toBe(1)
})
