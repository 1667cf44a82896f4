import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../support/built-program.ts'
import { openTerminal } from '../support/terminal.ts'
import { startWaiting } from '../support/waiting-call.ts'

/** Clears the screen, moves up, paints, sets the title, writes the clipboard, turns text around, hides it, ends lines. */
const HOSTILE =
  '\u001b[2J\u001b[5A\u001b[31mred\u001b]0;title\u0007\u001b]52;c;aGk=\u0007\u009b1A\u202egnp.exe\u2066\u200bx\u2028y\rz\b\b\u{e0041}'
const ACTING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test('hostile arguments never reach a terminal raw: not in the list, the approval request or the result', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', { path: 'a.txt', text: HOSTILE })
  const shown = [await haft(program, ['approvals']), await haft(program, ['approvals', id])]
  const edited = { path: `b${HOSTILE.replaceAll(/[\0/]/g, '')}.txt`, text: 'x' }
  shown.push(await haft(program, ['approvals', id, 'edit', '--arguments', JSON.stringify(edited)]))
  await ended
  shown.push(await haft(program, ['log']))
  for (const { stdout, stderr } of shown) expect((stdout + stderr).match(ACTING)).toBeNull()
  expect(shown[1]?.stdout).toContain('\\u{1b}[2J\\u{1b}[5A')
})

test.for([40, 100])(
  'the prompt shows them as they are, with every other line in its place, %i columns wide',
  async (columns) => {
    const program = buildProgram()
    const args = JSON.stringify({
      path: 'a.txt',
      text: `${HOSTILE}\n[y]es [n]o › y\n${'x'.repeat(200)}? safe wants to run`,
    })
    const terminal = openTerminal([process.execPath, program.main, 'call', 'write_note', args], {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home, HOME: join(program.workspace, '../person'), NO_COLOR: '1' },
      columns,
      rows: 60,
    })
    const screen = await terminal.waitFor(/\[a\]lways… ›/)
    expect(screen).toMatch(/^\? write_note wants to run/)
    const text = screen.replaceAll(/\n {2}/g, '')
    expect(text).toContain('\\u{1b}[2J\\u{1b}[5A\\u{1b}[31mred')
    expect(text).toContain('\\u{202e}gnp.exe\\u{2066}\\u{200b}x')
    // What the text says stands indented on every row, never where a prompt or a question would.
    const rows = screen.trimEnd().split('\n')
    expect(rows.filter((row) => !row.startsWith('  '))).toEqual([rows[0], expect.stringMatching(/^\[y\]es/)])
    terminal.press('n', 'Enter')
    await terminal.waitFor(/Reason \(optional\)/)
    terminal.press('Enter')
    await terminal.waitFor(/exit=3/)
  },
)

/** What a command writes to a terminal of its own, byte for byte. */
function runInTerminal(program: BuiltProgram, args: readonly string[]): string {
  const command = [process.execPath, program.main, ...args].map((word) => `'${word}'`).join(' ')
  return execFileSync('script', ['-qec', command, '/dev/null'], {
    cwd: program.workspace,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HAFT_HOME: program.home, HOME: join(program.workspace, '../person'), NO_COLOR: '1' },
  })
}

test('JSON on a terminal holds no raw control or invisible character, and says the same as JSON in a pipe', async () => {
  const program = buildProgram()
  const { id, ended } = await startWaiting(program, 'write_note', { path: 'a.txt', text: HOSTILE })
  const check = async (...args: string[]) => {
    const shown = runInTerminal(program, args)
    expect(shown.replaceAll('\r\n', '\n').match(ACTING)).toBeNull()
    const piped = (await haft(program, args)).stdout
    expect(piped).toContain('\u009b1A\u202egnp.exe\u2066\u200bx')
    const read = (text: string) =>
      text
        .trim()
        .split(/\r?\n/)
        .map((line) => JSON.parse(line))
    expect(read(shown)).toEqual(read(piped))
  }
  await check('approvals', '--json')
  await check('approvals', id, '--json')
  await haft(program, ['approvals', id, 'yes'])
  await ended
  const call = id.replace(/^a_/, '')
  await check('log', '--json')
  await check('log', call, '--json')
  await check(
    'check',
    'write_note',
    JSON.stringify({ path: 'b.txt', text: '\u009b1A\u202egnp.exe\u2066\u200bx' }),
    '--json',
  )
})
