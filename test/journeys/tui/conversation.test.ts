import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal } from '../../support/terminal.ts'
import { openTui } from '../../support/tui.ts'

test('a background task gets a line when it starts and one when it ends, and the conversation goes on', async () => {
  const tui = await openTui()
  tui.send('run until [ -e go ]; do sleep 0.1; done; echo woke-up in background')
  await tui.waitFor(/⚙ shell until[\s\S]*\[bg\][\s\S]*It runs in the background[\s\S]*1 task/)
  tui.send('list .')
  await tui.waitFor(/✓ list_directory/)
  tui.press('C-l')
  tui.send('/tasks')
  await tui.waitFor(/Tasks \(enter cancels one\)[\s\S]*shell/)
  tui.press('Enter')
  await tui.waitFor(/⊘ shell until/)
})

test('Esc stops the run, its processes end, and the session goes on with the next message', async () => {
  const tui = await openTui()
  tui.send('run echo started; sleep 1000')
  await tui.waitFor(/ {4}started[\s\S]*Esc stops/)
  tui.press('Escape')
  await tui.waitFor(/⊘ shell[\s\S]*CANCELLED[\s\S]*Stopped\. Write a message to go on\./)
  tui.send('list .')
  await tui.waitFor(/✓ list_directory/)
})

test('Ctrl-C once stops the run and stays, twice leaves; the terminal is as it was', async () => {
  const tui = await openTui()
  tui.send('run echo started; sleep 1000')
  await tui.waitFor(/ {4}started/)
  tui.press('C-c')
  await tui.waitFor(/Stopped\. Write a message/)
  tui.press('C-c')
  // On a slow machine the second one may come too late to count as such.
  if (!/exit=/.test(await tui.waitFor(/exit=0|again to leave/))) tui.press('C-c')
  await tui.waitFor(/exit=0/)
  // The shell's `cat` answers only where the terminal reads lines and echoes again.
  tui.type('echoed')
  await tui.waitFor(/exit=0[\s\S]*echoed/)
})

test('at 40 columns nothing is wider than the terminal, and a card has a bar in place of a frame', async () => {
  const tui = await openTui({ files: { 'a.txt': 'a' } })
  tui.send('run echo a-long-word-that-must-not-leave-the-screen-at-forty-columns')
  await tui.waitFor(/✓ shell[\s\S]*columns”/)
  tui.resize(40, 30)
  await tui.waitFor(/mode ask/)
  tui.send('delete a.txt')
  const screen = await tui.card()
  expect(screen).toMatch(/^│ \? Waiting for you/m)
  expect(screen).not.toContain('╭')
  expect(Math.max(...screen.split('\n').map((row) => row.trimEnd().length))).toBeLessThanOrEqual(80)
  tui.press('n')
  await tui.waitFor(/⊘ delete_file a\.txt[\s\S]*Denied by user/)
})

test('after kill -9, --continue shows the session, says what is unknown, and goes on', async () => {
  const tui = await openTui()
  tui.send('run echo started; sleep 1000')
  await tui.waitFor(/ {4}started/)
  // The path of the program is this test's alone.
  const found = execFileSync('pgrep', ['-f', `^${process.execPath} ${tui.program.main}`], { encoding: 'utf8' })
  for (const pid of found.trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
  await tui.waitFor(/exit=137/)
  const again = await openTui({ program: tui.program, args: ['--continue'] })
  await again.waitFor(/run echo started[\s\S]*! shell[\s\S]*INTERRUPTED[\s\S]*This run was cut off/)
  again.send('list .')
  await again.waitFor(/✓ list_directory/)
})

test('nothing that a tool or a model prints reaches the terminal raw', async () => {
  const tui = await openTui()
  writeFileSync(
    join(tui.program.workspace, 'evil.sh'),
    "printf '\\033[2J\\033]0;evil\\007\\033[31mred\\342\\200\\256\\n'",
  )
  tui.send('run sh evil.sh')
  const screen = await tui.waitFor(/✓ shell sh evil\.sh[\s\S]*It printed/)
  expect(screen).toContain('\\u{1b}[2J\\u{1b}]0;evil\\u{7}\\u{1b}[31mred\\u{202e}')
  expect(screen).toContain('> run sh evil.sh')
})

test('S0.9 tools are chosen before the first message, with a count, and locked after it', async () => {
  const tui = await openTui()
  tui.send('/tools')
  await tui.waitFor(/Tools (\d+)\/\1/)
  tui.press('n')
  await tui.waitFor(/Tools 0\//)
  tui.press('/')
  tui.type('read_file')
  tui.press('Enter', 'Space')
  await tui.waitFor(/Tools 1\/\d+[\s\S]*\[x\] read_file/)
  tui.press('Enter')
  await tui.waitFor(/tools 1\/\d+(?: ·|$)/m)
  tui.send('run echo hi')
  await tui.waitFor(/tools 1\/\d+ locked/)
  tui.send('/tools')
  await tui.waitFor(/locked with the first message/)
})

test('slash commands: help, mode, an unknown one, and the person’s own from a folder', async () => {
  const tui = await openTui({ home: { 'commands/look.md': 'list $ARGUMENTS' }, files: { 'sub/in-there.txt': '' } })
  tui.send('/help')
  await tui.waitFor(/\/model[\s\S]*\/look +list \$ARGUMENTS[\s\S]*Ctrl-Z/)
  tui.send('/mode review')
  await tui.waitFor(/· mode review ·/)
  tui.send('/nothing')
  await tui.waitFor(/There is no command \/nothing/)
  tui.send('/look sub')
  await tui.waitFor(/> list sub[\s\S]*✓ list_directory sub/)
})

test('a paste of 10,000 lines is one placeholder, and is sent in full', async () => {
  const tui = await openTui()
  tui.paste(Array.from({ length: 10_000 }, (_, i) => `pasted ${i}`).join('\n'))
  await tui.waitFor(/\[Pasted #1: 10,000 lines\]/)
  tui.press('Enter')
  await tui.waitFor(/longer than I can read/)
  tui.send('/export')
  const [, name = ''] = /Written to (\S+\.md)/.exec(await tui.waitFor(/Written to \S+\.md/)) ?? []
  const text = readFileSync(join(tui.program.workspace, name), 'utf8')
  expect(text).toContain('pasted 0\n')
  expect(text).toContain('pasted 9999')
})

test('@ completes a file and attaches it; Up brings the message back', async () => {
  const tui = await openTui({ files: { 'docs/guide.md': 'the guide' } })
  tui.type('look at @gui')
  await tui.waitFor(/> @docs\/guide\.md/)
  tui.press('Tab', 'Enter')
  await tui.waitFor(/> look at @docs\/guide\.md[\s\S]*@docs\/guide\.md/)
  await tui.waitFor(/did not understand/)
  tui.press('Up')
  await tui.waitFor(/> look at @docs\/guide\.md *\n.*demo/)
})

test('! runs a command line through the rules: what is denied stays denied', async () => {
  const tui = await openTui({ files: { '.env': 'KEY=1' } })
  tui.send('!echo from-me')
  await tui.waitFor(/✓ shell echo from-me[\s\S]* {4}from-me/)
  tui.send('!cat .env')
  // It is said once who refused: the code would repeat it.
  expect(await tui.waitFor(/⊘ shell cat \.env[\s\S]*Blocked by rule no_secret_reading/)).not.toContain('BLOCKED')
})

test('a question of the model is a form', async () => {
  const tui = await openTui()
  tui.send('ask me which colour')
  await tui.waitFor(/\? which colour[\s\S]*enter answer/)
  tui.type('blue')
  await tui.waitFor(/answer › blue/)
  tui.press('Enter')
  await tui.waitFor(/You answered/)
})

test('a terminal without UTF-8 or colour gets ASCII', async () => {
  const tui = await openTui({ env: { LANG: 'C', LC_ALL: 'C', NO_COLOR: '1' } })
  tui.send('run echo ä')
  await tui.waitFor(/\+ shell echo \?/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours begin with one
  expect(tui.colours()).not.toMatch(/\u001b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7]|38|48)/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: any character outside ASCII fails
  expect(await tui.waitFor(/It printed/)).toMatch(/^[\u0000-\u007f]*$/)
})

test('without a terminal haft prints its help', async () => {
  const tui = await openTui()
  const { stdout, code } = await haft(tui.program, [])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: haft')
  expect(await haft(tui.program, ['--continue'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs a terminal'),
  })
})

test('--plain prints lines and moves no cursor: each message is asked for, and its run is shown', async () => {
  const program = buildProgram()
  const transcript = join(program.workspace, 'typescript')
  const line = `${process.execPath} ${program.main} --plain --model demo`
  const terminal = openTerminal(['script', '-q', '-c', line, transcript], {
    ...{ cwd: program.workspace, columns: 80 },
    env: { HAFT_HOME: program.home, NO_COLOR: '1' },
  })
  await terminal.waitFor(/message>/)
  terminal.type('run echo hello')
  terminal.press('Enter')
  await terminal.waitFor(/Answered[\s\S]*message>/)
  terminal.press('C-d')
  await terminal.waitFor(/exit=0/)
  const shown = readFileSync(transcript, 'utf8')
  const run = shown.slice(shown.indexOf('I will run'), shown.indexOf('Answered'))
  expect(run).toContain('✓ shell echo hello')
  expect(run).not.toContain('\u001b[')
})

test('a terminal that cannot move its cursor gets lines, as with --plain', async () => {
  const program = buildProgram()
  const terminal = openTerminal(['env', 'TERM=dumb', process.execPath, program.main, '--model', 'demo'], {
    ...{ cwd: program.workspace, columns: 80, env: { HAFT_HOME: program.home } },
  })
  await terminal.waitFor(/message>/)
  terminal.type('run echo hello')
  terminal.press('Enter')
  await terminal.waitFor(/✓ shell echo hello[\s\S]*Answered[\s\S]*message>/)
  terminal.press('C-d')
  await terminal.waitFor(/exit=0/)
})

test('a file that a tool opens is shown in the editor, and the screen comes back', async () => {
  const program = buildProgram()
  const editor = join(program.workspace, '../editor')
  writeFileSync(editor, '#!/bin/sh\necho "EDITING $1"\nread answer\n', { mode: 0o755 })
  const tui = await openTui({ program, files: { 'a.txt': 'a' }, env: { EDITOR: editor } })
  tui.send('open a.txt')
  await tui.card()
  tui.press('y')
  await tui.waitFor(/EDITING .*a\.txt/)
  tui.press('Enter')
  await tui.waitFor(/✓ open_file a\.txt/)
  tui.send('list .')
  await tui.waitFor(/✓ list_directory/)
})

test('keys belong to the editor while it has the terminal, also those it has not read yet', async () => {
  const program = buildProgram()
  const editor = join(program.workspace, '../editor')
  // It reads its first key only once it is told to, so whatever else reads from the terminal comes first.
  writeFileSync(editor, '#!/bin/sh\necho "EDITING $1"\nread _ < "$0.go"\nread answer\necho "GOT $answer"\nread _\n', {
    mode: 0o755,
  })
  execFileSync('mkfifo', [`${editor}.go`])
  const tui = await openTui({ program, files: { 'a.txt': 'a' }, env: { EDITOR: editor } })
  tui.send('open a.txt')
  await tui.card()
  tui.press('y')
  await tui.waitFor(/EDITING .*a\.txt/)
  tui.send('typed early')
  await tui.waitFor(/typed early/)
  writeFileSync(`${editor}.go`, '\n')
  await tui.waitFor(/GOT typed early/)
  tui.press('Enter')
  await tui.waitFor(/✓ open_file a\.txt/)
  tui.send('list .')
  await tui.waitFor(/✓ list_directory/)
})
