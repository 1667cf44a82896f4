import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram } from '../../support/built-program.ts'
import { type RunSetup, setUpRun } from '../../support/run-command.ts'
import { openTerminal, type Terminal } from '../../support/terminal.ts'

const call = (name: string, given: object) => ({ id: 'call_1', name, arguments: given })

/** Runs `haft …` in a real terminal. */
function open(
  program: BuiltProgram,
  args: readonly string[],
  more: { columns?: number; env?: Record<string, string> } = {},
): Terminal {
  const env = { HAFT_HOME: program.home, HOME: join(program.workspace, '../person'), ...more.env }
  return openTerminal([process.execPath, program.main, ...args], { cwd: program.workspace, rows: 60, ...more, env })
}

function openRun({ program, model, env }: RunSetup, prompt: string): Terminal {
  return open(program, ['run', prompt, '--model', model], { env: { ...env } })
}

test.for([40, 80, 160])('a person sees text, calls and the end, at %i columns', async (columns) => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'README.md'), '# Hello\n')
  const prompt = 'read README.md then run seq 1 30 then read nope.txt'
  const screen = await open(program, ['run', prompt, '--model', 'demo'], { columns }).waitFor(/exit=0/)
  expect(screen).toMatch(/✓ read_file README\.md/)
  expect(screen).toMatch(/1 line +\d/)
  expect(screen).toMatch(/ {4}… 21 more lines: haft log\s+c_\w+\n/)
  expect(screen).toMatch(/✗ read_file nope\.txt/)
  expect(screen).toMatch(/✓ Answered · .*4\s+steps · 3 calls/)
  for (const row of screen.split('\n')) expect(row.length).toBeLessThanOrEqual(columns)
  expect(screen).not.toContain('⠋')
})

test('the last reply is shown once', async () => {
  const setup = await setUpRun('openai', [{ reasoning: 'Easy, I know it.', text: 'It is a fine day, indeed.' }])
  const screen = await openRun(setup, 'how is the day?').waitFor(/exit=0/)
  expect(screen.match(/fine day/g)).toHaveLength(1)
  expect(screen).toMatch(/Thought for \d/)
})

test('to-dos are shown as they change, without a line for the call; reasoning is one dim line; a step begins apart', async () => {
  const todos = (state: string) => call('update_todos', { items: [{ text: 'Look around', state }] })
  const setup = await setUpRun('openai', [
    {
      reasoning: 'First I look.\nThen I see.',
      text: 'I look.',
      calls: [todos('active'), { ...call('list_directory', { path: '.' }), id: 'call_2' }],
    },
    { text: 'Seen.', calls: [todos('done')] },
    { calls: [call('task_complete', { summary: 'All is seen.' })] },
  ])
  const terminal = openRun(setup, 'look')
  const screen = await terminal.waitFor(/exit=0/)
  expect(screen).toMatch(
    / {2}Thought for [\d.]+ s: Then I see\.\n {2}I look\.\n {2}\[>\] Look around\n✓ list_directory/,
  )
  expect(screen).toMatch(/\n\n {2}Seen\.\n {2}\[x\] Look around\n\n {2}All is seen\.\n✓ Done · /)
  expect(screen).not.toContain('update_todos')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the code of dim text
  expect(terminal.colours()).toMatch(/\u001b\[2m *Thought for/)
})

test('a request for approval is answered inline, and the run goes on', async () => {
  const setup = await setUpRun('ollama', [
    { text: 'I change it.', calls: [call('edit_file', { path: 'a.txt', edits: [{ old: 'milk', new: 'tea' }] })] },
    { text: 'Changed.' },
  ])
  const file = join(setup.program.workspace, 'a.txt')
  writeFileSync(file, 'milk\n')
  const terminal = openRun(setup, 'change it')
  await terminal.waitFor(/edit_file wants to run[\s\S]*› $/m)
  terminal.press('y', 'Enter')
  const screen = await terminal.waitFor(/exit=0/)
  expect(readFileSync(file, 'utf8')).toBe('tea\n')
  // The diff was in the request; it is not shown a second time.
  expect(screen.match(/\+tea/g)).toHaveLength(1)
  expect(screen).toMatch(/✓ edit_file a\.txt +\+1 -1/)
  expect(screen).toMatch(/✓ edit_file a\.txt +\+1 -1/)
  expect(screen).toMatch(/ {2}Changed\./)
})

test('a request for approval says once what it deletes', async () => {
  const setup = await setUpRun('ollama', [{ text: 'I delete it.', calls: [call('delete_file', { path: 'a.txt' })] }])
  writeFileSync(join(setup.program.workspace, 'a.txt'), 'milk\n')
  const terminal = openRun(setup, 'delete it')
  const screen = await terminal.waitFor(/delete_file wants to run[\s\S]*› $/m)
  expect(screen.match(/deletes a\.txt/g)).toHaveLength(1)
  expect(screen).toContain('"path": "a.txt"')
})

test('Ctrl-C at a request for approval denies it and stops the run', async () => {
  const setup = await setUpRun('openai', [
    { calls: [call('edit_file', { path: 'a.txt', edits: [{ old: 'milk', new: 'tea' }] })] },
    { text: 'Then not.' },
  ])
  const file = join(setup.program.workspace, 'a.txt')
  writeFileSync(file, 'milk\n')
  const terminal = openRun(setup, 'change it')
  await terminal.waitFor(/\[y\]es \[n\]o/)
  terminal.press('C-c')
  const screen = await terminal.waitFor(/exit=130/)
  expect(screen).toMatch(/haft run --continue s_/)
  expect(readFileSync(file, 'utf8')).toBe('milk\n')
  expect(setup.server.chats()).toHaveLength(1)
})

test('Ctrl-C while the model writes stops the run and keeps what it wrote on the screen', async () => {
  const setup = await setUpRun('openai', [
    (response) => {
      response.writeHead(200).write('data: {"choices":[{"index":0,"delta":{"content":"Half a sentence "}}]}\n\n')
    },
  ])
  const terminal = openRun(setup, 'go')
  await terminal.waitFor(/Half a/)
  terminal.press('C-c')
  expect(await terminal.waitFor(/exit=130/)).toMatch(/Half a.*\n⊘ Stopped · [\s\S]*haft run --continue s_/)
})

test('a question of the model is answered inline, by the number of an option', async () => {
  const setup = await setUpRun('openai', [
    { calls: [call('ask_user', { question: 'Which drink?', options: ['tea', 'coffee'] })] },
    { text: 'Noted.' },
  ])
  const terminal = openRun(setup, 'ask me')
  await terminal.waitFor(/Which drink\?[\s\S]*2\. coffee[\s\S]*› $/m)
  terminal.press('2', 'Enter')
  expect(await terminal.waitFor(/exit=0/)).toMatch(/coffee[\s\S]*Noted\./)
})
