import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram } from '../../support/built-program.ts'
import { writeFiles } from '../../support/python-tools.ts'
import { openTerminal } from '../../support/terminal.ts'

const FILES = {
  ...{ 'page.html': '<script></script>', 'a.desktop': '[Desktop Entry]', 'a.svg': '<svg/>', 'a.jar': '', 'a.url': '' },
  ...{ 'no-ending': '', 'script.txt': '#!/bin/sh\n', 'program.txt': 'x', 'notes.txt': 'x', 'a.xhtml': '', 'a.sh': '' },
}

/** Opens files in a terminal with an answer of yes, and returns what the screen shows. */
async function openAll(paths: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const program = buildProgram()
  writeFiles(program.workspace, FILES)
  chmodSync(join(program.workspace, 'program.txt'), 0o755)
  symlinkSync('a.desktop', join(program.workspace, 'link.txt'))
  const variables = Object.entries({ ...env, HAFT_HOME: program.home }).map((one) => one.join('='))
  const calls = paths.map((path) => `"$0" "$1" call open_file '{"path":"${path}"}' --yes`).join('; ')
  const command = ['/usr/bin/env', '-u', 'VISUAL', '-u', 'EDITOR', ...variables, '/bin/sh', '-c', calls]
  const terminal = openTerminal([...command, process.execPath, program.main], {
    cwd: program.workspace,
    columns: 200,
    rows: 60,
  })
  return terminal.waitFor(/exit=/)
}

test('the system’s opener gets no file that it may run or that loads others, whatever its name says', async () => {
  const refused = ['page.html', 'a.desktop', 'a.svg', 'a.jar', 'a.url', 'no-ending', 'script.txt', 'program.txt']
  const screen = await openAll([...refused, 'link.txt', 'a.xhtml', 'a.sh'], {})
  for (const path of [...refused, 'link.txt', 'a.xhtml', 'a.sh'])
    expect(screen).toContain(`${path} was not given to /usr/bin/xdg-open`)
})

test('an editor gets any file, and the result names it; one that hands files to the system counts as the opener', async () => {
  const screen = await openAll(['page.html', 'script.txt'], { EDITOR: '/bin/true --flag' })
  expect(screen).toMatch(/Opened with \/bin\/true[\s\S]*Opened with \/bin\/true/)
  expect(await openAll(['page.html'], { EDITOR: "'/bin/true' --flag" })).toContain('Opened with /bin/true')
  expect(await openAll(['page.html'], { EDITOR: 'xdg-open' })).toContain('page.html was not given to /usr/bin/xdg-open')
})

test('the approval names the program', async () => {
  const program = buildProgram()
  writeFiles(program.workspace, FILES)
  const call = [process.execPath, program.main, 'call', 'open_file', '{"path":"notes.txt"}']
  const variables = ['EDITOR=/bin/true', 'VISUAL=', `HAFT_HOME=${program.home}`]
  const terminal = openTerminal(['/usr/bin/env', ...variables, ...call], { cwd: program.workspace })
  await terminal.waitFor(/opens notes\.txt \(1 bytes\) with \/bin\/true[\s\S]*\[y\]es/)
  terminal.type('n')
  terminal.press('Enter')
  await terminal.waitFor(/Reason/)
  terminal.press('Enter')
  await terminal.waitFor(/exit=/)
})
