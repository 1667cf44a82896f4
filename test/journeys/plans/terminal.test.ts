import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal } from '../../support/terminal.ts'

const PLAN = `goal: Two files in this folder.
model: demo
jobs:
  - id: first
    prompt: write first.txt with "1"
    check: test -s first.txt
  - id: second
    prompt: list files
    check: test -e second.txt || { echo second.txt is not there; exit 1; }
    dependsOn: [first]
    maxIterations: 1
`

test.for([40, 80, 160])(
  'haft plan in a terminal: a table, a pause with feedback, the end, at %i columns',
  { timeout: 60_000 },
  async (columns) => {
    const program = buildProgram()
    writeFileSync(join(program.workspace, 'plan.yaml'), PLAN)
    const env = { HAFT_HOME: program.home, HOME: join(program.workspace, '../person') }
    const terminal = openTerminal([process.execPath, program.main, 'plan', 'plan.yaml'], {
      ...{ cwd: program.workspace, columns, rows: 50, env },
    })
    const paused = await terminal.waitFor(/\[q\]uit/)
    expect(paused).toMatch(/✓ first +completed +1\/5/)
    expect(paused).toMatch(/✗ second +failed +1\/1/)
    expect(paused.replaceAll(/\s+/g, ' ')).toContain('Paused. Job second failed: its check failed once.')
    expect(paused).toContain('second.txt is not there')
    expect(paused.match(/✓ first/g)).toHaveLength(1)
    for (const row of paused.split('\n')) expect(row.length).toBeLessThanOrEqual(columns)
    writeFileSync(join(program.workspace, 'second.txt'), '')
    // What is typed before the prompt can be read is dropped.
    await expect
      .poll(
        async () => {
          terminal.press('f', 'Enter')
          return (await terminal.waitFor(/›/)).replaceAll(/\s+/g, ' ')
        },
        { timeout: 20_000, interval: 500 },
      )
      .toContain('What should second do differently?')
    terminal.type('It is there now.')
    terminal.press('Enter')
    const end = await terminal.waitFor(/exit=\d/)
    expect(end).toContain('exit=0')
    expect(end).toContain('✓ Completed. 2 of 2 jobs done.')
  },
)

test('haft plan from elsewhere: list, show, conflict, skip; a wrong plan is exit code 2; JSON', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'plan.yaml'), PLAN)
  const run = await haft(program, ['plan', 'plan.yaml'])
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('✗ second, try 1: the check ended with exit code 1')
  const [, id = ''] = /(p_\w+)/.exec(run.stderr) ?? []
  expect((await haft(program, ['ralph'])).stdout).toMatch(new RegExp(`${id}  paused  1/2 .*Two files`))
  const shown = await haft(program, ['plan', 'show', id.slice(0, -2)])
  expect(shown.stdout).toContain(`haft plan feedback ${id} second`)
  const again = await haft(program, ['plan', 'plan.yaml'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`The plan ${id} is paused`) })
  const skipped = await haft(program, ['plan', 'skip', id, 'second', '--json'])
  const events = skipped.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({ type: 'plan-end', state: 'completed', text: '1 of 2 jobs done, 1 skipped.' })
  expect(skipped.code).toBe(0)
  const undone = await haft(program, ['plan', 'undo', id, 'first', '--yes'])
  expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('removed first.txt') })
  writeFileSync(join(program.workspace, 'bad.yaml'), 'goal: x\njobs:\n  - { id: a, prompt: x, tools: [nope] }\n')
  expect(await haft(program, ['plan', 'bad.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bad.yaml:3:33: a: there is no tool "nope"'),
  })
}, 60_000)
