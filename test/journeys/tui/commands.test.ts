import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { buildProgram } from '../../support/built-program.ts'
import { openTui } from '../../support/tui.ts'

/** An editor that writes a message, and changes arguments. */
const EDITOR = `#!/bin/sh
case "$1" in
  *message.md) printf 'write notes.txt with new' > "$1" ;;
  *) sed -i 's/"new"/"edited"/' "$1" ;;
esac
`

test('the editor: Ctrl-G writes a message in it, and arguments of several fields are edited in it as JSON', async () => {
  const program = buildProgram()
  const editor = join(program.workspace, '../editor')
  writeFileSync(editor, EDITOR, { mode: 0o755 })
  const tui = await openTui({ program, files: { 'notes.txt': 'old\n' }, env: { EDITOR: editor } })
  tui.press('C-g')
  await tui.waitFor(/> write notes\.txt with new/)
  tui.press('Enter')
  await tui.card()
  tui.press('e')
  await tui.waitFor(/✓ write_file notes\.txt +\[edited\]/)
  expect(readFileSync(join(program.workspace, 'notes.txt'), 'utf8')).toBe('edited')
})

test('/rules, /why and /sessions; after /undo a session goes on without a word about its tools', async () => {
  const tui = await openTui()
  tui.send('/rules')
  await tui.waitFor(/deny {2}\w+ \(defaults\): [\s\S]*ask {3}\w+ \(defaults\): /)
  tui.send('write made.txt with words')
  await tui.waitFor(/✓ write_file made\.txt/)
  tui.send('/why read_file')
  await tui.waitFor(/read_file was offered|not called|did not call/i)
  tui.send('/undo')
  await tui.card()
  tui.press('y')
  await tui.waitFor(/✓ undo/)
  tui.send('/clear')
  await tui.waitFor(/^haft [\d.]+ [^\n]*\n\s*> +\/ commands/)
  tui.send('/sessions')
  await tui.waitFor(/Sessions[\s\S]*> write made\.txt with words/)
  tui.press('Enter')
  await tui.waitFor(/> write made\.txt with words[\s\S]*✓ undo/)
  tui.press('C-d')
  await tui.waitFor(/exit=0/)
  const again = await openTui({ program: tui.program, args: ['--continue'] })
  expect(await again.waitFor(/> write made\.txt with words[\s\S]*✓ undo/)).not.toContain('Tools changed')
})

test('a crash leaves the terminal as it was, and says what happened', async () => {
  const script = "process.once('SIGUSR2', () => { throw new Error('a bug of ours') })"
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`
  const tui = await openTui({ env: { NODE_OPTIONS } })
  // The path of the program is this test's alone.
  const found = execFileSync('pgrep', ['-f', `^${process.execPath} ${tui.program.main}`], { encoding: 'utf8' })
  process.kill(Number(found.trim().split('\n')[0]), 'SIGUSR2')
  expect(await tui.waitFor(/exit=[1-9]/)).toContain('a bug of ours')
  expect(tui.showsCursor()).toBe(true)
  // The shell's `cat` answers only where the terminal reads lines and echoes again.
  tui.type('echoed')
  await tui.waitFor(/exit=\d+[\s\S]*echoed/)
})

/** The memory of the program, in MB. */
function memoryOf(main: string): number {
  const [pid = ''] = execFileSync('pgrep', ['-f', `^${process.execPath} ${main}`], { encoding: 'utf8' }).split('\n')
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_000
}

test('a session of 5,000 blocks is shown, and 50 MB are printed, in bounded memory; keys are taken all the time', async () => {
  const first = await openTui()
  first.send('list .')
  await first.waitFor(/✓ list_directory/)
  first.press('C-d')
  await first.waitFor(/exit=0/)
  const { program } = first
  const { log, close } = openSqliteStorage({ path: join(program.home, 'log.db') })
  const session = (await log.read({ after: 0, limit: 100 })).find(({ type }) => type === 'session-start')?.session ?? ''
  for (let at = 0; at < 5_000; at++) {
    log.append({ type: 'message', session, role: at % 2 === 0 ? 'user' : 'assistant', content: `block ${at} of many` })
    if (at % 500 === 0) await log.flush()
  }
  await log.flush()
  await close()
  const tui = await openTui({ program, args: ['--continue'] })
  await tui.waitFor(/block 4999 of many/)
  tui.send('!yes 0123456789012345678901234567890123456789 | head -c 50000000')
  await tui.waitFor(/⚙ shell yes[\s\S]*Esc stops/)
  tui.type('typed while it prints')
  await tui.waitFor(/> typed while it prints/)
  await tui.waitFor(/[✓✗⊘] shell yes/)
  expect(memoryOf(program.main)).toBeLessThan(500)
})

test('the number of tools in the status bar follows the tool files, and counts what /tools lists', async () => {
  const tool = (name: string) =>
    `TOOL_SPECS = [{"name": "${name}", "description": "d", "parameters": {"type": "object"}, "handler": lambda: 1}]\n`
  const tui = await openTui({ home: { 'tools/one.py': tool('one') } })
  const [, before] = /tools (\d+)\/\1 /.exec(await tui.waitFor(/tools \d+\/\d+ /)) ?? []
  writeFileSync(join(tui.program.home, 'tools/two.py'), tool('two'))
  const all = Number(before) + 1
  await tui.waitFor(new RegExp(`tools ${all}/${all} `))
  tui.send('/tools')
  await tui.waitFor(new RegExp(`^Tools ${all}/${all}`, 'm'))
})
