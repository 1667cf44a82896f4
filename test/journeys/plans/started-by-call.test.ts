import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildProgram, haft } from '../../support/built-program.ts'

const planOf = (check: string) => ({
  goal: 'One file in this folder.',
  mode: 'auto',
  jobs: [{ id: 'first', prompt: 'write first.txt with "1"', check, maxIterations: 1 }],
})

const propose = (check: string) => ['call', 'propose_plan', JSON.stringify({ plan: planOf(check) }), '--yes']

test('haft call propose_plan waits for the plan that it starts, and says how it ended', async () => {
  const program = buildProgram()
  const { code, stdout } = await haft(program, propose('test -s first.txt'))
  expect(stdout).toMatch(/The plan was approved and runs as p_\w+\.[\s\S]*✓ Completed\. 1 of 1 job done\./)
  expect(code).toBe(0)
  expect(existsSync(join(program.workspace, 'first.txt'))).toBe(true)
  expect((await haft(program, ['plan', 'list'])).stdout).toMatch(/completed +1\/1/)
})

test('a plan that haft call started and that is paused says how it goes on, with exit code 1; --json prints the result alone', async () => {
  const program = buildProgram()
  const { code, stdout } = await haft(program, propose('test -e other.txt'))
  const [, id = ''] = /runs as (p_\w+)/.exec(stdout) ?? []
  expect(stdout).toContain(`haft plan retry ${id} first`)
  expect(code).toBe(1)
  writeFileSync(join(program.workspace, 'other.txt'), '')
  expect(await haft(program, ['plan', 'retry', id, 'first'])).toMatchObject({ code: 0 })
  const json = await haft(program, [...propose('true'), '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, data: { plan: expect.stringMatching(/^p_/) } })
  expect((await haft(program, ['plan', 'list'])).stdout.match(/completed/g)).toHaveLength(2)
})

test('Ctrl-C leaves a plan that haft call started paused, and says how to resume it', async () => {
  const program = buildProgram()
  const { code, stdout } = await haft(program, propose('echo checking; sleep 1000'), {
    onLogged: (text, kill) => {
      if (text.includes('checking')) kill('SIGINT')
    },
  })
  const [, id = ''] = /runs as (p_\w+)/.exec(stdout) ?? []
  expect(stdout).toContain(`haft plan resume ${id}`)
  expect(code).toBe(130)
  expect((await haft(program, ['plan', 'list'])).stdout).toMatch(/paused +0\/1/)
})

test('a mode that is wider than that of the person does not count, and haft plan says so', async () => {
  const program = buildProgram()
  writeFileSync(join(program.workspace, 'plan.json'), JSON.stringify({ ...planOf('true'), model: 'demo' }))
  const said = /The plan asks for mode auto, but its jobs work in mode ask/
  expect((await haft(program, ['plan', 'plan.json', '--check'])).stdout).toMatch(said)
  const { warnings } = JSON.parse((await haft(program, ['plan', 'plan.json', '--check', '--json'])).stdout)
  expect(warnings).toEqual([expect.stringMatching(said)])
  expect((await haft(program, ['plan', 'plan.json', '--check', '--mode', 'auto'])).stdout).not.toMatch(said)
  const run = await haft(program, ['plan', 'plan.json'])
  expect(run.stderr.replaceAll(/\s+/g, ' ')).toMatch(said)
  const [, id = ''] = /(p_\w+)/.exec(run.stderr) ?? []
  expect((await haft(program, ['plan', 'show', id])).stdout.replaceAll(/\s+/g, ' ')).toMatch(said)
})
