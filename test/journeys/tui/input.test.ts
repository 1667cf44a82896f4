import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { buildProgram } from '../../support/built-program.ts'
import { openTui } from '../../support/tui.ts'

/** Starts a command in a terminal of its own and prints how the terminal treats keys when the first frame arrives. */
const READ_FIRST_FRAME = `
import os, pty, signal, sys, termios
child, terminal = pty.fork()
if child == 0: os.execv(sys.argv[1], sys.argv[1:])
seen = b''
while b'mode ask' not in seen: seen += os.read(terminal, 65536)
isRaw = not termios.tcgetattr(terminal)[3] & termios.ICANON
os.kill(child, signal.SIGKILL)
print('raw' if isRaw else 'by line')
`

test('keys count from the first frame on: Enter pressed at that moment sends, and does not begin a new line', () => {
  const { main, workspace, home } = buildProgram()
  const env = { ...process.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', HAFT_HOME: home }
  const args = ['-c', READ_FIRST_FRAME, process.execPath, main, '--model', 'demo']
  expect(execFileSync('python3', args, { cwd: workspace, env, encoding: 'utf8' })).toBe('raw\n')
})

test('a message has several lines: Ctrl-J, Alt-Enter and a backslash before Enter begin a new one, Enter sends them as one', async () => {
  const tui = await openTui()
  tui.type('first line')
  tui.press('C-j')
  tui.type('second line')
  tui.press('M-Enter')
  tui.type('third line\\')
  tui.press('Enter')
  tui.type('fourth line')
  await tui.waitFor(/^> first line *\n {2}second line *\n {2}third line *\n {2}fourth line/m)
  // Up moves inside the message as long as there is a line above.
  tui.press('Up', 'Up', 'C-a')
  tui.type('the ')
  await tui.waitFor(/^ {2}the second line/m)
  tui.press('Enter')
  await tui.waitFor(/> first line\n {2}the second line\n {2}third line\n {2}fourth line[\s\S]*> +\/ commands/)
})

test('Esc closes one thing at a time: suggestions, a list, then the run; without a run it empties the prompt', async () => {
  const tui = await openTui()
  tui.send('run echo started; sleep 1000')
  await tui.waitFor(/ {4}started[\s\S]*Esc stops/)
  tui.send('/mode')
  await tui.waitFor(/Mode[\s\S]*> ask/)
  tui.press('Escape')
  await tui.waitFor(/> +\/ commands[\s\S]*running, Esc stops/)
  tui.type('/mod')
  await tui.waitFor(/> \/model? /)
  tui.press('Escape')
  // The list of suggestions is gone, the text stays, and the run goes on.
  await tui.waitFor(/^> \/mod *\n.*running, Esc stops/m)
  tui.press('Escape')
  const stopped = await tui.waitFor(/⊘ shell[\s\S]*Stopped\. Write a message to go on\./)
  // What it had printed stays on the screen, and the reason is in words for people.
  expect(stopped).toMatch(/⊘ shell[^\n]*\n {4}started\n {4}shell was cancelled\. All its processes were ended/)
  expect(stopped).not.toContain('details.partial')
  await tui.waitFor(/^> \/mod *$/m)
  tui.press('Escape')
  await tui.waitFor(/> +\/ commands/)
})

test('Up brings back messages of earlier starts, the last one first; Down goes back to what was being written', async () => {
  const first = await openTui()
  first.send('list .')
  await first.waitFor(/✓ list_directory/)
  first.send('run echo one')
  await first.waitFor(/✓ shell echo one/)
  first.press('C-d')
  await first.waitFor(/exit=0/)
  const tui = await openTui({ program: first.program })
  tui.type('half')
  tui.press('Up')
  await tui.waitFor(/^> run echo one *$/m)
  tui.press('Up')
  await tui.waitFor(/^> list \. *$/m)
  tui.press('Down', 'Down')
  await tui.waitFor(/^> half *$/m)
})

test('Ctrl-R searches the earlier messages, and the chosen one is in the message', async () => {
  const tui = await openTui()
  tui.press('C-r')
  await tui.waitFor(/No message was sent in this folder yet\./)
  for (const name of ['one', 'two']) {
    tui.send(`run echo ${name}`)
    await tui.waitFor(new RegExp(`✓ shell echo ${name}[\\s\\S]*> +/ commands`))
  }
  tui.press('C-r')
  await tui.waitFor(/Earlier messages[\s\S]*> run echo two/)
  tui.type('one')
  await tui.waitFor(/\/ one[\s\S]*> run echo one/)
  tui.press('Enter')
  await tui.waitFor(/^> run echo one *$/m)
})

test('emoji and words whose letters are joined are shown as they are typed; other invisible characters by their number', async () => {
  const tui = await openTui()
  tui.type('می\u200cخواهم 👩\u200d👩 a\u200db')
  await tui.waitFor(/> می\u200cخواهم 👩\u200d👩 a\\u\{200d\}b/)
})

test('a pasted text is called by the number of its lines', async () => {
  const tui = await openTui()
  tui.paste(Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join(''))
  await tui.waitFor(/\[Pasted #1: 500 lines\]/)
})
