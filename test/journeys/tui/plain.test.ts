import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal } from '../../support/terminal.ts'

test('a slash command in plain mode is answered there and never sent to the model', async () => {
  const program = buildProgram()
  const terminal = openTerminal([process.execPath, program.main, '--plain', '--model', 'demo'], {
    ...{ cwd: program.workspace, columns: 80, env: { HAFT_HOME: program.home, NO_COLOR: '1' } },
  })
  const answered = async (line: string, answer: RegExp) => {
    await terminal.waitFor(/message> *$/m)
    terminal.type(line)
    terminal.press('Enter')
    await terminal.waitFor(answer)
  }
  await answered('/help', /\/clear starts a new session\./)
  await answered('/undo', /Plain mode has no \/undo\. In another terminal: haft undo/)
  await answered('/nothing', /Plain mode has no command \/nothing\. Its commands: \/help, \/clear, \/quit/)
  await answered('!ls', /Plain mode runs no command lines\./)
  await answered('/quit', /exit=0/)
  expect((await haft(program, ['sessions'])).stdout).toContain('No sessions yet.')
})

test('/clear in plain mode starts a new session with the next message', async () => {
  const program = buildProgram()
  const terminal = openTerminal([process.execPath, program.main, '--plain', '--model', 'demo'], {
    ...{ cwd: program.workspace, columns: 80, env: { HAFT_HOME: program.home, NO_COLOR: '1' } },
  })
  await terminal.waitFor(/message>/)
  for (const line of ['run echo one', '/clear', 'run echo two', '/quit']) {
    terminal.type(line)
    terminal.press('Enter')
    await terminal.waitFor(
      line === '/quit'
        ? /exit=0/
        : line === '/clear'
          ? /starts a new session\.\s+message> *$/m
          : new RegExp(`shell ${line.slice(4)}[\\s\\S]*Answered[\\s\\S]*message> *$`, 'm'),
    )
  }
  const { sessions } = JSON.parse((await haft(program, ['sessions', '--json'])).stdout)
  expect(sessions).toHaveLength(2)
})

test('what a person types when a call asks in plain mode does not answer it, and begins the next message', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'notes.txt'), 'old')
  const terminal = openTerminal([process.execPath, program.main, '--plain', '--model', 'demo'], {
    ...{ cwd: program.workspace, columns: 80, env: { HAFT_HOME: program.home, NO_COLOR: '1' } },
  })
  await terminal.waitFor(/message>/)
  terminal.type('write notes.txt with new')
  terminal.press('Enter')
  await terminal.typeEvery(60, 'why is my copy okay')
  await terminal.waitFor(/Not taken as an answer[\s\S]*\[n\]o .*›/)
  terminal.press('n', 'Enter')
  await terminal.waitFor(/Reason \(optional\)/)
  terminal.press('Enter')
  await terminal.waitFor(/message> why is my copy okay *$/m)
  expect(readFileSync(join(program.workspace, 'notes.txt'), 'utf8')).toBe('old')
})
