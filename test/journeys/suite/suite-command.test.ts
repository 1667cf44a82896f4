import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BuiltProgram, haft } from '../../support/built-program.ts'
import { neverAnswers } from '../../support/model-server/model-server.ts'
import type { ScriptedReply } from '../../support/model-server/scripted-reply.ts'
import { setUpRun, type Wire } from '../../support/run-command.ts'

const SUITE = `tasks:
  - name: make-file
    prompt: Make done.txt
    verify: grep -q done done.txt
  - name: other-file
    prompt: Make other.txt
    files: { given.txt: "given\\n" }
    verify: test -e other.txt && cmp given.txt check/given.txt
    verify_files: { check/given.txt: "given\\n" }
  - name: with-search
    prompt: Search
    needs: [telepathy]
    verify: test -e found.txt
`

const write = (path: string, content = 'done\n'): ScriptedReply => ({
  calls: [{ name: 'write_file', arguments: { path, content } }],
  usage: { input: 100, output: 20 },
})
const DONE: ScriptedReply = { text: 'Done.', usage: { input: 100, output: 20 } }

function writeSuite({ workspace }: BuiltProgram, text = SUITE): string {
  writeFileSync(join(workspace, 'suite.yaml'), text)
  return 'suite.yaml'
}

async function setUp(replies: Parameters<typeof setUpRun>[1], { text = SUITE, wire = 'ollama' as Wire } = {}) {
  const { program, model, env, server } = await setUpRun(wire, replies)
  const file = writeSuite(program, text)
  const temporary = join(program.workspace, '../temporary')
  mkdirSync(temporary)
  const suite = (args: readonly string[], options: Parameters<typeof haft>[2] = {}) =>
    haft(program, ['suite', file, ...args], { ...options, env: { ...env, TMPDIR: temporary } })
  return { program, model, server, suite, left: () => readdirSync(temporary).filter((name) => name.includes('suite')) }
}

test.for(['ollama', 'openai'] as const)(
  'S3.7 a table of pass, steps, repairs, tokens and seconds, a total, a report; on the wire of %s',
  async (wire) => {
    const { program, model, suite, left } = await setUp([write('done.txt'), DONE, write('another.txt'), DONE], { wire })
    const { code, stdout } = await suite(['--model', model, '--report', 'report.md'])
    const rows = stdout.split('\n').map((row) => row.replace(/ *\d+\.\d$/, '  T'))
    expect(rows.slice(0, 4)).toEqual([
      `3 tasks with ${model}`,
      '  task         steps  repairs     tokens  seconds',
      '✓ make-file        2        0        240  T',
      '✗ other-file       2        0        240  T',
    ])
    expect(stdout).toMatch(
      /✗ other-file.*\n {4}verify ended with exit code 1\n {4}haft sessions s_\w+\n– with-search\n {4}not run: needs telepathy\n/,
    )
    expect(rows.slice(-3)).toEqual(['  total            4        0        480  T', '1 of 2 passed, 1 not run', ''])
    expect(code).toBe(1)
    const report = readFileSync(join(program.workspace, 'report.md'), 'utf8')
    expect(report).toContain('| make-file | passed | 2 | 0 | 240 |')
    expect(report).toContain('**1 of 2 passed, 1 not run**')
    expect(report).toMatch(/- \*\*other-file\*\* failed: verify ended with exit code 1 \(session s_\w+\)/)
    expect(left()).toEqual([])
  },
)

test('--json prints one value; --only chooses tasks; where all that ran passed the exit code is 0', async () => {
  const { model, suite } = await setUp([write('done.txt'), DONE])
  const { code, stdout } = await suite(['--model', model, '--json', '--only', 'make-file,with-search'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    suite: 'suite.yaml',
    models: [
      {
        model,
        tasks: [
          {
            task: 'make-file',
            state: 'passed',
            reason: '',
            steps: 2,
            repairs: 0,
            tokens: 240,
            session: expect.any(String),
          },
          { task: 'with-search', state: 'not run', reason: 'needs telepathy', steps: 0 },
        ],
        total: { passed: 1, failed: 0, notRun: 1, steps: 2, tokens: 240 },
      },
    ],
  })
})

test('--compare runs each task with each model and shows them side by side', async () => {
  const { model, suite } = await setUp([write('done.txt'), DONE, DONE])
  const { code, stdout } = await suite(['--compare', `${model},demo`, '--only', 'make-file'])
  const table = stdout.trimEnd().split('\n').slice(-3)
  expect(table[0]).toMatch(/^task +ollama:test +steps +tokens +seconds +demo +steps +tokens +seconds$/)
  expect(table[1]).toMatch(/^make-file +✓ passed +2 +240 +\d+\.\d +✗ failed +\d /)
  expect(table[2]).toMatch(/^total +1 of 1 passed +2 +240 +\d+\.\d +0 of 1 passed/)
  expect(code).toBe(1)
})

test('replies are recorded for each task and replayed in other folders', async () => {
  const { model, suite, server } = await setUp([write('done.txt'), DONE])
  expect(await suite(['--model', model, '--only', 'make-file', '--record', 'recorded'])).toMatchObject({ code: 0 })
  const asked = server.requests.length
  expect(await suite(['--model', 'replay:recorded', '--only', 'make-file'])).toMatchObject({ code: 0 })
  expect(server.requests.length).toBe(asked)
  const missing = await suite(['--model', 'replay:recorded', '--only', 'other-file'])
  expect(missing.code).toBe(1)
  expect(missing.stdout).toContain('cannot be read')
})

test('a verify command that passes before any work counts as a failure, and asks no model', async () => {
  const text = 'tasks:\n  - { name: idle, prompt: Nothing, verify: "true" }\n'
  const { model, suite, server } = await setUp([DONE], { text })
  const { code, stdout } = await suite(['--model', model])
  expect(code).toBe(1)
  expect(stdout).toContain('the verify command passes before any work, so it shows nothing')
  expect(server.chats()).toEqual([])
})

test('a task over its time limit fails, and the next one is run', async () => {
  const text = SUITE.replace('verify: grep', 'time_limit: 1\n    verify: grep')
  const { model, suite } = await setUp([neverAnswers, write('other.txt'), DONE], { text })
  const { code, stdout } = await suite(['--model', model])
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ make-file[\s\S]*over its time limit of 1 s[\s\S]*✓ other-file/)
})

test('Ctrl-C stops the task that runs, shows what there is, leaves no folder behind, and exits with 130', async () => {
  const killer = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
  const stop = async () => (await killer.promise)('SIGINT')
  const { program, model, suite, left } = await setUp([write('done.txt'), DONE, stop])
  const args = ['--model', model, '--report', 'report.md']
  const { code, stdout } = await suite(args, { onStart: killer.resolve })
  expect(code).toBe(130)
  expect(stdout).toMatch(/✓ make-file[\s\S]*– other-file[\s\S]*not run: stopped[\s\S]*1 of 1 passed, 2 not run/)
  expect(readFileSync(join(program.workspace, 'report.md'), 'utf8')).toContain('| other-file | not run |')
  expect(left()).toEqual([])
})

test('a file, task or option that is wrong ends with exit code 2 and runs nothing', async () => {
  const { program, model, suite, server } = await setUp([DONE])
  const unknown = await suite(['--only', 'make-fil', '--model', model])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toContain("there is no task 'make-fil'; did you mean make-file?")
  expect(await suite(['--model', 'a', '--compare', 'b,c'])).toMatchObject({ code: 2 })
  writeSuite(program, 'tasks:\n  - name: x\n    promt: y\n')
  const broken = await suite(['--model', model])
  expect(broken).toMatchObject({ code: 2, stdout: '' })
  expect(broken.stderr).toContain('suite.yaml:3:5: task 1: unknown key "promt"; did you mean prompt?')
  expect(server.requests).toEqual([])
})

test('the tasks that come with Haft are listed without a model', async () => {
  const { program } = await setUp([DONE])
  const { code, stdout } = await haft(program, ['suite', '--list', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).tasks).toHaveLength(18)
  expect(existsSync(join(program.home, 'log.db'))).toBe(false)
})
