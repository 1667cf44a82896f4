import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram } from '../../support/built-program.ts'
import { toolFile } from '../../support/python-tools.ts'
import { openTerminal } from '../../support/terminal.ts'

const GREET = `export default { name: 'greet', description: 'Greet a person by name, in one of several languages.', effect: 'none',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }, handler: ({ name }) => name }`

test.for([40, 80, 160])(
  'S0.2 in %i columns haft tools shows each tool, and what was skipped, in lines that fit',
  async (columns) => {
    const program = buildProgram()
    const tools = join(program.home, 'tools')
    mkdirSync(tools, { recursive: true })
    writeFileSync(join(tools, 'greet.ts'), GREET)
    writeFileSync(join(tools, 'broken.py'), 'x = 1\ndef f(:\n')
    writeFileSync(join(tools, 'look.py'), toolFile('def look(): return 1', { look: { effect: 'read' } }))
    const script = `haft() { "$node" "$main" "$@"; }\nhaft tools\nhaft tools look`
    const terminal = openTerminal(['sh', '-c', script], {
      cwd: program.workspace,
      env: { HAFT_HOME: program.home, node: process.execPath, main: program.main },
      columns,
      rows: 200,
    })
    const screen = await terminal.waitFor(/exit=0/)
    const lines = screen.split('\n').map((line) => line.trimEnd())
    const tooLong = lines.filter((line) => line.length > columns && !/^(skipped|warning|from) +\S+$/.test(line))
    expect(tooLong).toEqual([])
    const text = screen.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/look read look\.py What look does\./)
    expect(text).toMatch(/greet none greet\.ts Greet a person by name/)
    expect(text).toMatch(/skipped \S+broken\.py:2: it could not be imported: SyntaxError/)
    expect(text).toMatch(
      /warning \S+greet\.ts:1: the tool "greet" is offered, but its parameter "name" has no description/,
    )
    expect(text).toMatch(/from \S+look\.py:2 runs as you: it can use your files and your network try haft call look/)
  },
)
