import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { type Home, openHome } from '../../../src/index.ts'
import { done, jobModel } from '../../support/job-model.ts'

let root = ''
let home: Home

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-job-files-')))
  home = await openHome({ home: join(root, 'home') })
})
afterAll(async () => {
  await home.close()
  rmSync(root, { recursive: true, force: true })
})

type Call = readonly [name: string, given: object]

/** Runs a plan whose only job makes these calls one after another, everything approved. Returns what came of them. */
async function runCalls(files: readonly string[] | undefined, calls: readonly Call[]) {
  const workspace = mkdtempSync(join(root, 'w-'))
  mkdirSync(join(workspace, 'src'))
  for (const name of ['src/a.js', 'src/b.js', 'notes.txt']) writeFileSync(join(workspace, name), 'old\n')
  const results: string[] = []
  const model = jobModel(({ turn, request }) => {
    const last = request.messages.at(-1)
    if (last?.role === 'tool') results.push(last.content)
    const [name, given] = calls[turn] ?? []
    return name === undefined || given === undefined ? done('x') : { calls: [{ name, arguments: given }] }
  })
  const plan = { goal: 'x', jobs: [{ id: 'job-a', prompt: 'x', ...(files && { files }), check: 'touch checked.txt' }] }
  const started = await home.plans.start({ workspace, plan, model, mode: 'auto', decision: 'allow' })
  if (isFailure(started)) throw new Error(started.text)
  const view = await started.rest
  const read = (name: string) => {
    const path = join(workspace, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  return { workspace, results, view, read }
}

const write = (path: string): Call => ['write_file', { path, content: 'new\n' }]
const shell = (command: string): Call => ['shell', { command }]

test('the sub-agents of a job change only its files, by whatever tool; the check of the job is not held to them', async () => {
  const { results, read, view } = await runCalls(
    ['src/a.js', 'made/**'],
    [
      write('src/a.js'),
      write('made/deep/new.js'),
      write('src/b.js'),
      ['delete_file', { path: 'notes.txt' }],
      ['move_file', { from: 'src/a.js', to: 'src/c.js' }],
      ['edit_file', { path: 'src/b.js', edits: [{ old: 'old', new: 'edited' }] }],
      shell('echo more >> src/a.js; mkdir -p made/other; echo x > made/other/x'),
    ],
  )
  expect(results[0]).not.toContain('BLOCKED')
  expect(results[1]).not.toContain('BLOCKED')
  for (const result of results.slice(2, 6))
    expect(result).toMatch(/Blocked by rule job_files: the job job-a may change only src\/a\.js, made\/\*\*/)
  expect(read('src/a.js')).toBe('new\nmore\n')
  expect(read('made/deep/new.js')).toBe('new\n')
  expect(read('made/other/x')).toBe('x\n')
  expect([read('src/b.js'), read('notes.txt'), read('src/c.js')]).toEqual(['old\n', 'old\n', undefined])
  expect(view.state).toBe('completed')
  expect(read('checked.txt')).toBe('')
})

test('the rules of a plan go with it, and a job without files changes none', async () => {
  const { workspace, results, view } = await runCalls([], [write('src/a.js')])
  expect(results[0]).toContain('Blocked by rule job_files: the job job-a may change no file.')
  expect(view.state).toBe('completed')
  const host = await home.host(workspace)
  expect((await host.rules()).map(({ rule }) => rule.name)).not.toContain('job_files')
  await host.close()
})

test('what a command really changed is held to the files of the job, whatever the command looked like', async () => {
  const hidden =
    'import os\nopen("".join(["src/", "b.js"]), "w").write("sneaky")\nopen("src/a.js", "w").write("fine")\n'
  const { results, read } = await runCalls(
    ['src/a.js'],
    [
      ['run_code', { language: 'python', code: hidden }],
      shell('echo fine > src/a.js; cat src/a.js; echo out > /tmp/elsewhere; echo gone > /dev/null'),
    ],
  )
  expect(results[0]).toMatch(/job_files[\s\S]*src\/a\.js/)
  expect(read('src/b.js')).toBe('old\n')
  expect(read('src/a.js')).toBe('fine\n')
  expect(results[1]).not.toContain('job_files')
})

test('a folder among the files stands for what is in it; a job that names no files is not held to any', async () => {
  const folder = await runCalls(['src/'], [write('src/new/x.js'), write('other.txt')])
  expect(folder.read('src/new/x.js')).toBe('new\n')
  expect(folder.read('other.txt')).toBe(undefined)
  const free = await runCalls(undefined, [write('other.txt')])
  expect(free.read('other.txt')).toBe('new\n')
})

test('the rule of one job does not reach another job, or other sessions of the workspace', async () => {
  const workspace = mkdtempSync(join(root, 'w-'))
  const model = jobModel(({ job, turn }) =>
    turn === 0 ? { calls: [{ name: 'write_file', arguments: { path: `${job}.txt`, content: 'x' } }] } : done('x'),
  )
  const jobs = [
    { id: 'one', prompt: 'x', files: ['one.txt'] },
    { id: 'two', prompt: 'x', files: ['one.txt'] },
    { id: 'three', prompt: 'x' },
  ]
  const started = await home.plans.start({ workspace, plan: { goal: 'x', jobs }, model, decision: 'allow' })
  if (isFailure(started)) throw new Error(started.text)
  await started.rest
  const made = ['one.txt', 'two.txt', 'three.txt'].filter((name) => existsSync(join(workspace, name)))
  expect(made).toEqual(['one.txt', 'three.txt'])
  const host = await home.host(workspace)
  expect(await host.call('write_file', { path: 'mine.txt', content: 'x' })).toMatchObject({ ok: true })
  await host.close()
})

test('a plan that asks for a wider mode is told so when it is checked, and shows it for as long as it is there', async () => {
  const workspace = mkdtempSync(join(root, 'w-'))
  const plan = { goal: 'x', mode: 'auto', jobs: [{ id: 'a', prompt: 'x' }] }
  const warning =
    'The plan asks for mode auto, but its jobs work in mode ask: a plan can only be stricter than whoever starts it.'
  expect(await home.plans.check({ workspace, plan })).toMatchObject({ mode: 'ask', warnings: [warning] })
  expect((await home.plans.check({ workspace, plan, mode: 'auto' })).warnings).toEqual([])
  expect((await home.plans.check({ workspace, plan: { ...plan, mode: 'plan' } })).warnings).toEqual([])
  const started = await home.plans.start({ workspace, plan, model: jobModel(() => done('x')) })
  if (isFailure(started)) throw new Error(started.text)
  expect((await started.rest).warnings).toEqual([warning])
  expect((await home.plans.get(started.id))?.warnings).toEqual([warning])
})

test('a call that a person approves after its process has died is still held to the files of its job', async () => {
  const [folder, workspace] = [mkdtempSync(join(root, 'h-')), mkdtempSync(join(root, 'w-'))]
  mkdirSync(join(workspace, 'src'))
  for (const name of ['src/a.js', 'src/b.js']) writeFileSync(join(workspace, name), 'old\n')
  writeFileSync(join(workspace, 'hidden.py'), 'open("".join(["src/", "b.js"]), "w").write("sneaky")\n')
  // It asks because it deletes a file of the job; what the script changes cannot be read beforehand.
  const script = join(import.meta.dirname, '../../support/job-files-worker.ts')
  const child = spawn(process.execPath, [script, folder, workspace, 'rm src/a.js; python3 hidden.py'], {
    stdio: 'inherit',
  })
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
  const other = await openHome({ home: folder, toolFolders: false })
  onTestFinished(() => other.close())
  const [asked] = await other.approvals.list()
  const { approval = '', call = '' } = asked?.request ?? {}
  await other.approvals.answer(approval, { approved: true }, { by: 'terminal' })
  await expect.poll(async () => (await other.log.calls()).find((one) => one.call === call)?.outcome).toBe('BLOCKED')
  expect(readFileSync(join(workspace, 'src/b.js'), 'utf8')).toBe('old\n')
})
