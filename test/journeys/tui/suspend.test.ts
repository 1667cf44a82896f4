import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { buildProgram } from '../../support/built-program.ts'
import { openTerminal } from '../../support/terminal.ts'
import { openTui } from '../../support/tui.ts'

/** Opens an interactive bash, which has job control, and starts the terminal UI in it. */
async function openInShell(prefix = '') {
  const program = buildProgram()
  const env = { HAFT_HOME: program.home, PS1: 'shell> ', EDITOR: '', VISUAL: '', LC_ALL: 'C.UTF-8' }
  const terminal = openTerminal(['bash', '--norc', '-i'], { cwd: program.workspace, env, columns: 80, rows: 32 })
  await terminal.waitFor(/shell>/)
  const enter = (line: string) => {
    terminal.type(line)
    terminal.press('Enter')
  }
  enter(`${prefix}${process.execPath} ${program.main} --model demo`)
  await terminal.waitFor(/mode ask/)
  return { ...terminal, program, enter }
}

/** True while a process has this command line. */
function isRunning(command: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(command)
}

/** The screen once the shell prompts again. */
const STOPPED = /\[1\]\+ +Stopped[\s\S]*shell> *\n*$/

test('Ctrl-Z gives the terminal back to the shell; fg draws everything again, and what was typed is still there', async () => {
  const shell = await openInShell()
  shell.enter('write made.txt with words')
  await shell.waitFor(/✓ write_file made\.txt/)
  shell.type('half a mess')
  await shell.waitFor(/> half a mess/)
  shell.press('C-z')
  await shell.waitFor(STOPPED)
  expect(shell.showsCursor()).toBe(true)
  // The terminal echoes and reads lines again, and what is pasted comes without marks.
  shell.enter('printf "[%s]\\n" one; stty -a')
  await shell.waitFor(/\[one\][\s\S]* icanon [\s\S]* echo /)
  shell.enter('fg')
  const screen = await shell.waitFor(/fg[\s\S]*✓ write_file made\.txt[\s\S]*> half a mess\n[\s\S]*mode ask/)
  expect(screen.match(/mode ask/g)).toHaveLength(1)
  shell.press('C-u')
  shell.enter('list .')
  await shell.waitFor(/✓ list_directory[\s\S]*made\.txt/)
})

test('a tool that runs when the UI is suspended goes on, and its result is there after fg', async () => {
  const shell = await openInShell()
  // A number of this test's own tells its process from all others.
  const command = `sleep 2.${process.pid}`
  shell.enter(`!${command}; echo went`)
  await shell.waitFor(/⚙ shell sleep[\s\S]*Esc stops/)
  await expect.poll(() => isRunning(command)).toBe(true)
  shell.press('C-z')
  await shell.waitFor(STOPPED)
  await expect.poll(() => isRunning(command)).toBe(false)
  shell.enter('fg')
  await shell.waitFor(/✓ shell sleep[\s\S]* {4}went/)
  shell.enter('list .')
  await shell.waitFor(/✓ list_directory/)
})

test('a suspended UI can be suspended again, and is ended by a signal with the terminal as it was', async () => {
  const shell = await openInShell()
  for (let time = 0; time < 2; time++) {
    shell.press('C-z')
    await shell.waitFor(STOPPED)
    shell.enter('clear; fg')
    await shell.waitFor(/> +\/ commands[\s\S]*mode ask/)
  }
  shell.press('C-z')
  await shell.waitFor(STOPPED)
  shell.enter('clear; kill %1; fg; echo "code=$?"')
  await shell.waitFor(/code=143[\s\S]*shell>/)
  shell.enter('echo still-a-shell')
  await shell.waitFor(/^still-a-shell/m)
})

test('a program that started Haft is suspended with it: the shell gets its prompt', async () => {
  const shell = await openInShell('sh -c \'"$@"; echo ended\' sh ')
  shell.press('C-z')
  await shell.waitFor(STOPPED)
  shell.enter('fg')
  await shell.waitFor(/mode ask/)
  shell.press('C-d')
  await shell.waitFor(/^ended/m)
})

test('in a terminal without job control Ctrl-Z says so and changes nothing', async () => {
  const tui = await openTui()
  tui.press('C-z')
  await tui.waitFor(/no job control/)
  tui.send('list .')
  await tui.waitFor(/✓ list_directory/)
})

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const)
  test(`${signal} ends the UI, stops its run and leaves the terminal as it was`, async () => {
    const tui = await openTui()
    // A number of this test's own tells its process from all others.
    const seconds = 10_000_000 + process.pid * 10 + code
    tui.send(`run echo started; sleep ${seconds}`)
    await tui.waitFor(/ {4}started/)
    expect(isRunning(`sleep ${seconds}`)).toBe(true)
    const found = execFileSync('pgrep', ['-f', `^${process.execPath} ${tui.program.main}`], { encoding: 'utf8' })
    process.kill(Number(found.split('\n')[0]), signal)
    await tui.waitFor(new RegExp(`exit=${code}`))
    expect(tui.showsCursor()).toBe(true)
    expect(isRunning(`sleep ${seconds}`)).toBe(false)
    // The shell's `cat` answers only where the terminal reads lines and echoes again.
    tui.type('echoed')
    await tui.waitFor(/exit=\d+[\s\S]*echoed/)
  })
