import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildHouse, type House } from '../support/house.ts'
import { openTerminal, type Terminal } from '../support/terminal.ts'

function askInTerminal(args = '{"path":"a.txt","text":"hello"}', columns = 100): { house: House; terminal: Terminal } {
  const house = buildHouse()
  const terminal = openTerminal([process.execPath, house.main, 'call', 'write_note', args], {
    cwd: house.workspace,
    env: { HAFT_HOME: house.home },
    columns,
  })
  return { house, terminal }
}

test('S1.11 the prompt shows tool, reason, effects, arguments and preview; yes runs it', async () => {
  const { house, terminal } = askInTerminal()
  const screen = await terminal.waitFor(/\[y\]es \[n\]o \[e\]dit \[a\]lways… ›/)
  expect(screen).toContain('? write_note wants to run: it changes files (effect write)')
  expect(screen).toContain('writes a.txt')
  expect(screen).toContain('"text": "hello"')
  expect(screen).toContain('+hello')
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(house.workspace, 'a.txt'), 'utf8')).toBe('hello')
})

test('S1.11 no asks why, and the reason reaches the result', async () => {
  const { house, terminal } = askInTerminal()
  await terminal.waitFor(/›/)
  terminal.press('n', 'Enter')
  await terminal.waitFor(/Why not/)
  terminal.type('not in this folder')
  terminal.press('Enter')
  const screen = await terminal.waitFor(/exit=3/)
  expect(screen).toContain('Denied by user: not in this folder')
  expect(existsSync(join(house.workspace, 'a.txt'))).toBe(false)
})

test('S1.11 edit takes other arguments, says what is wrong with them, and runs what was typed', async () => {
  const { house, terminal } = askInTerminal()
  await terminal.waitFor(/›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/arguments › \{/)
  terminal.press('BSpace', 'Enter')
  await terminal.waitFor(/JSON at position/)
  terminal.press('C-u')
  terminal.type('{"path":"b.txt","text":"mine"}')
  terminal.press('Enter')
  const screen = await terminal.waitFor(/exit=0/)
  expect(screen).toContain('A person changed the arguments')
  expect(readFileSync(join(house.workspace, 'b.txt'), 'utf8')).toBe('mine')
})

test('anything else asks again, and Ctrl-C denies', async () => {
  const { house, terminal } = askInTerminal()
  await terminal.waitFor(/›/)
  terminal.press('x', 'Enter')
  await terminal.waitFor(/› x[\s\S]*›/)
  terminal.press('C-c')
  await terminal.waitFor(/exit=3/)
  expect(existsSync(join(house.workspace, 'a.txt'))).toBe(false)
})

test('hostile text is shown, not obeyed, also in a narrow terminal', async () => {
  const { terminal } = askInTerminal('{"path":"a.txt","text":"\\u001b[2J\\u001b[31mgone\\u202e"}', 40)
  const screen = await terminal.waitFor(/›/)
  expect(screen.replace(/\n/g, '')).toContain('\\u{1b}[2J\\u{1b}[31mgone\\u{202e}')
  expect(screen).toContain('write_note')
})
