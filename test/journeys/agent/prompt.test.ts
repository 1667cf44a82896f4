import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal, type Terminal } from '../../support/terminal.ts'

function askInTerminal(
  args = '{"path":"a.txt","text":"hello"}',
  columns = 100,
): { program: BuiltProgram; terminal: Terminal } {
  const program = buildProgram()
  const terminal = openTerminal([process.execPath, program.main, 'call', 'write_note', args], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home, EDITOR: '', VISUAL: '' },
    columns,
  })
  return { program, terminal }
}

test('S1.11 the prompt shows tool, reason, effects, arguments and preview; yes runs it', async () => {
  const { program, terminal } = askInTerminal()
  const screen = await terminal.waitFor(/\[y\]es \[n\]o \[e\]dit \[a\]lways… ›/)
  expect(screen).toContain('? write_note wants to run: it changes files (effect write)')
  expect(screen).toContain('writes a.txt')
  expect(screen).toContain('"text": "hello"')
  expect(screen).toContain('+hello')
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('hello')
})

test('S1.11 no asks why, and the reason reaches the result', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/›/)
  terminal.press('n', 'Enter')
  await terminal.waitFor(/Reason \(optional\)/)
  terminal.type('not in this folder')
  terminal.press('Enter')
  const screen = await terminal.waitFor(/exit=3/)
  expect(screen).toContain('DENIED by user: not in this folder')
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('S1.11 edit takes other arguments, says what is wrong with them, and runs what was typed', async () => {
  const { program, terminal } = askInTerminal()
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
  expect(readFileSync(join(program.workspace, 'b.txt'), 'utf8')).toBe('mine')
})

test('anything else is named and asked again with the answers that count, and Ctrl-C denies', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/›/)
  terminal.press('x', 'Enter')
  await terminal.waitFor(/› x\n"x" is no answer here\. Type one of the letters in brackets, and Enter\.\n[\s\S]*›/)
  terminal.press('C-c')
  expect(await terminal.waitFor(/exit=3/)).toMatch(/^DENIED by user/m)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('what was typed before the prompt appeared does not answer it', async () => {
  const { program, terminal } = askInTerminal()
  terminal.press('y', 'Enter')
  await terminal.waitFor(/lways… ›/)
  terminal.press('n', 'Enter')
  await terminal.waitFor(/Reason \(optional\)/)
  terminal.press('Enter')
  await terminal.waitFor(/exit=3/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test.for([60, 300])(
  'a person who goes on typing, a key every %i ms, answers no prompt; what was typed is shown, and an answer counts after a pause',
  async (gap) => {
    const { program, terminal } = askInTerminal()
    await terminal.waitFor(/wants to run/)
    await terminal.typeEvery(gap, 'yes, that')
    terminal.press('Enter')
    await terminal.typeEvery(gap, 'y')
    terminal.press('Enter')
    const screen = await terminal.waitFor(/lways… ›/)
    expect(screen).toMatch(/It takes an answer once you stop typing\.\nNot taken as an answer.*: yes, that y\n/)
    expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
    terminal.press('y', 'Enter')
    await terminal.waitFor(/exit=0/)
  },
)

test('a pasted text with a line that says y answers no prompt', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/lways… ›/)
  terminal.paste('why\ny\nyes\n')
  await terminal.waitFor(/› why y yes $/m)
  terminal.press('Enter')
  await terminal.waitFor(/"why y yes" is no answer here[\s\S]*lways… ›/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('an editor that is left without saving, and arguments that are typed anew with the same value, approve nothing', async () => {
  const program = buildProgram()
  const terminal = openTerminal(
    [process.execPath, program.main, 'call', 'write_note', '{"path":"a.txt","text":"hello"}'],
    { cwd: program.workspace, env: { HAFT_HOME: program.home, EDITOR: 'true', VISUAL: '' } },
  )
  await terminal.waitFor(/lways… ›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/Nothing was changed\.[\s\S]*lways… ›/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  const { approvals } = JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  const [{ id }] = approvals
  const other = openTerminal([process.execPath, program.main, 'approvals', id, 'edit'], {
    ...{ cwd: program.workspace, env: { HAFT_HOME: program.home, EDITOR: '', VISUAL: '' } },
  })
  await other.waitFor(/arguments › \{/)
  other.press('C-u')
  other.type('{ "text": "hello", "path": "a.txt" }')
  other.press('Enter')
  await other.waitFor(/Nothing was changed\.\n.* still waits for an answer\.\nexit=0/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
})

test('hostile text is shown, not obeyed, also in a narrow terminal', async () => {
  const { terminal } = askInTerminal('{"path":"a.txt","text":"\\u001b[2J\\u001b[31mgone\\u202e"}', 40)
  const screen = await terminal.waitFor(/›/)
  expect(screen.replace(/\n/g, '')).toContain('\\u{1b}[2J\\u{1b}[31mgone\\u{202e}')
  expect(screen).toContain('write_note')
})

test('one very long line does not push the prompt away: at most 60 rows of arguments and of preview', async () => {
  const program = buildProgram()
  const text = 'word '.repeat(1_500)
  const terminal = openTerminal(
    [process.execPath, program.main, 'call', 'write_note', JSON.stringify({ path: 'a.txt', text })],
    { cwd: program.workspace, env: { HAFT_HOME: program.home }, columns: 40, rows: 150 },
  )
  const screen = await terminal.waitFor(/lways… ›/)
  expect(screen).toContain('? write_note wants to run')
  expect(screen.match(/^ {2}… and \d+ more lines\. See all: haft/gm)).toHaveLength(2)
  const { approvals } = JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  expect(screen).toContain(`approvals ${approvals[0].id}`)
  expect(screen.split('\n').filter((row) => row.includes('word ')).length).toBeLessThan(120)
})

test('always… offers the grants that fit, and the next call like it is not asked about', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/lways… ›/)
  terminal.press('a', 'Enter')
  const offers = await terminal.waitFor(/Which grant\?/)
  expect(offers).toContain('1 exactly this call')
  expect(offers).toContain('2 anything in the workspace')
  terminal.press('2', 'Enter')
  await terminal.waitFor(/For how long\?/)
  terminal.type('for ever')
  terminal.press('Enter')
  await terminal.waitFor(/for ever[\s\S]*For how long\?/)
  terminal.type('2x')
  terminal.press('Enter')
  await terminal.waitFor(/exit=0/)
  expect(await haft(program, ['call', 'write_note', '{"path":"b.txt","text":"granted"}'])).toMatchObject({ code: 0 })
  expect((await haft(program, ['approvals', 'grants'])).stdout).toMatch(
    /write_note {2}anything in the workspace\n.*1 of 2 left, used 1 time/,
  )
})

test('Enter goes back from always… and from edit to the prompt', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/lways… ›/)
  terminal.press('a', 'Enter')
  await terminal.waitFor(/Which grant\?/)
  terminal.press('Enter')
  await terminal.waitFor(/Which grant\?[\s\S]*lways… ›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/arguments › \{/)
  terminal.press('C-u', 'Enter')
  await terminal.waitFor(/arguments ›[\s\S]*lways… ›/)
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('hello')
})

test('edit opens $EDITOR on the arguments, and asks again where a rule would refuse what was saved', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  const rule = '[[rules]]\nname = "not b"\ndecision = "deny"\npaths = ["b.txt"]\n'
  writeFileSync(join(program.home, 'settings.toml'), rule)
  const script = join(program.workspace, '../editor.sh')
  writeFileSync(
    script,
    '#!/bin/sh\nn=$(cat "$0.n" 2>/dev/null || echo b)\nsed -i "s/\\(a\\|b\\).txt/$n.txt/" "$2"\necho c > "$0.n"\n',
  )
  chmodSync(script, 0o755)
  const terminal = openTerminal(
    [process.execPath, program.main, 'call', 'write_note', '{"path":"a.txt","text":"hello"}'],
    {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home, EDITOR: `${script} --wait` },
    },
  )
  await terminal.waitFor(/lways… ›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/Blocked by rule "not b"[\s\S]*\[e\]dit again/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, 'c.txt'), 'utf8')).toBe('hello')
  expect(existsSync(join(program.workspace, 'b.txt'))).toBe(false)
})

test('an editor that fails is named, changes nothing, and the prompt appears again', async () => {
  const program = buildProgram()
  const terminal = openTerminal(
    [process.execPath, program.main, 'call', 'write_note', '{"path":"a.txt","text":"hello"}'],
    {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home, EDITOR: 'sh -c "exit 3"', VISUAL: '' },
    },
  )
  await terminal.waitFor(/lways… ›/)
  terminal.press('e', 'Enter')
  await terminal.waitFor(/sh -c "exit 3": exited with code 3; nothing was changed[\s\S]*lways… ›/)
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('hello')
})

test('a request at a terminal may be answered elsewhere: the first answer counts, and the prompt closes', async () => {
  const { program, terminal } = askInTerminal()
  await terminal.waitFor(/lways… ›/)
  const { approvals } = JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  const id = approvals[0].id
  expect(await haft(program, ['approvals', id, 'no', '--reason', 'from elsewhere'])).toMatchObject({ code: 0 })
  const screen = await terminal.waitFor(/exit=3/)
  expect(screen).toContain('This request is closed')
  expect(screen).toContain('DENIED by user: from elsewhere')
})

test('colours are there in a terminal, and gone with NO_COLOR', async () => {
  const { terminal } = askInTerminal()
  await terminal.waitFor(/lways… ›/)
  expect(terminal.colours()).toContain('\u001b[32m+hello')
  const program = buildProgram()
  const plain = openTerminal(
    [process.execPath, program.main, 'call', 'write_note', '{"path":"a.txt","text":"hello"}'],
    {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home, NO_COLOR: '1' },
    },
  )
  await plain.waitFor(/lways… ›/)
  expect(plain.colours()).not.toContain('\u001b[')
})

function askAboutCommand(tool: 'shell' | 'run_code', args: unknown): { program: BuiltProgram; terminal: Terminal } {
  const program = buildProgram()
  mkdirSync(program.home)
  const rule = '[[rules]]\nname = "look first"\ndecision = "ask"\ntools = ["shell", "run_code"]\n'
  writeFileSync(join(program.home, 'settings.toml'), rule)
  writeFileSync(join(program.workspace, 'a.txt'), 'one\n')
  const terminal = openTerminal([process.execPath, program.main, 'call', tool, JSON.stringify(args)], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
    rows: 60,
  })
  return { program, terminal }
}

test.for([
  ['shell', { command: 'echo said; echo two >> a.txt' }],
  ['run_code', { language: 'bash', code: 'echo said; echo two >> a.txt' }],
] as const)('dry run of %s shows what it would do, applies nothing, and asks again', async ([tool, args]) => {
  const { program, terminal } = askAboutCommand(tool, args)
  await terminal.waitFor(/\[y\]es \[n\]o \[e\]dit \[d\]ry run \[a\]lways… ›/)
  terminal.press('d', 'Enter')
  const screen = await terminal.waitFor(/dry run: nothing was applied[\s\S]*\[d\]ry run \[a\]lways… › $/m)
  expect(screen).toMatch(/^ {2}said\n {2}\[changed a\.txt\]\n {2}--- a\.txt\n/m)
  expect(screen).toMatch(/^ {2}\+two$/m)
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('one\n')
  terminal.press('y', 'Enter')
  await terminal.waitFor(/exit=0/)
  expect(readFileSync(join(program.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('a dry run leaves nothing behind when the answer is no, and is in no log', async () => {
  const { program, terminal } = askAboutCommand('shell', { command: 'rm a.txt; echo tried' })
  await terminal.waitFor(/\[d\]ry run/)
  terminal.press('d', 'Enter')
  await terminal.waitFor(/dry run: nothing was applied[\s\S]*›/)
  terminal.press('n', 'Enter')
  await terminal.waitFor(/Reason \(optional\)/)
  terminal.press('Enter')
  await terminal.waitFor(/exit=3/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(true)
  const { stdout } = await haft(program, ['log', '--json'])
  expect(stdout).toContain('DENIED')
  expect(stdout).not.toContain('[deleted a.txt]')
})

test('a request that is answered elsewhere ends its dry run', async () => {
  const { program, terminal } = askAboutCommand('shell', { command: 'echo begun > b.txt; sleep 25' })
  await terminal.waitFor(/\[d\]ry run/)
  terminal.press('d', 'Enter')
  await terminal.waitFor(/Dry run: nothing will be applied/)
  const { approvals } = JSON.parse((await haft(program, ['approvals', '--json'])).stdout)
  await haft(program, ['approvals', approvals[0].id, 'no'])
  const screen = await terminal.waitFor(/exit=3/)
  expect(screen).not.toContain('dry run: nothing was applied')
  expect(existsSync(join(program.workspace, 'b.txt'))).toBe(false)
})

test('a tool that runs no command offers no dry run', async () => {
  const { terminal } = askInTerminal()
  await terminal.waitFor(/\[e\]dit \[a\]lways… ›/)
  terminal.press('d', 'Enter')
  expect(await terminal.waitFor(/› d[\s\S]*›/)).not.toContain('nothing was applied')
})
