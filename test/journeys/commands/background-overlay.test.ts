import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../../src/index.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { eventually, findExactly } from '../../support/processes.ts'
import { describeTree } from '../../support/trees.ts'

const WORKER = join(import.meta.dirname, '../../support/conflict-worker.ts')

interface Task {
  readonly id: string
  /** Lets the command go on after its pause, and resolves to how it ended. */
  goOn(): Promise<unknown>
}

/** Starts a background command that does one thing, pauses, and does another. */
async function startTask(host: Host, first: string, second = 'true'): Promise<Task> {
  const mark = `7${Math.floor(Math.random() * 1e9)}`
  const code = `${first}\nsleep ${mark}\n${second}`
  const result = await host.call('run_code', { language: 'bash', code, background: true }, { decision: 'allow' })
  const { task_id: id } = (result as { data: { task_id: string } }).data
  await eventually(() => findExactly(`sleep ${mark}`).length > 0)
  return {
    id,
    async goOn() {
      for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
      await host.tasks.wait(id)
      return (await host.tasks.read(id))?.result
    },
  }
}

async function openHost(): Promise<Host> {
  const host = await exampleHost({ home: temporaryFolder() })
  mkdirSync(join(host.workspace, 'src'))
  for (const name of ['a.txt', 'b.txt', 'src/one.ts', 'src/two.ts'])
    writeFileSync(join(host.workspace, name), `${name}\n`)
  return host
}

const read = (host: Host, path: string) => readFileSync(join(host.workspace, path), 'utf8')

test('S2.5 a background command changes nothing until it ends, and undo restores what it deleted', async () => {
  const host = await openHost()
  const before = describeTree(host.workspace)
  const task = await startTask(host, 'rm -r src a.txt; mkdir out; echo x > out/x')
  expect(describeTree(host.workspace)).toEqual(before)
  expect(await task.goOn()).toMatchObject({
    ok: true,
    data: { changed: { added: ['out/x'], deleted: ['a.txt', 'src'] } },
  })
  expect(readdirSync(host.workspace).sort()).toEqual(['b.txt', 'out'])
  expect(await host.undo([task.id], { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(before)
})

test.for([
  ['a hook', 'git init -q sub; echo x > sub/.git/hooks/pre-commit', 'BLOCKED'],
  ['Haft’s own folder', 'mkdir .haft; echo x > .haft/settings.toml', 'BLOCKED'],
  [
    'a planted repository',
    'mkdir -p objects refs; echo "ref: refs/heads/x" > HEAD; git config -f config core.fsmonitor x',
    'BLOCKED',
  ],
  ['a file that other programs trust', 'echo x > .envrc', 'DENIED'],
] as const)('a background command is guarded as any other: %s', async ([, code, expected]) => {
  const host = await openHost()
  const before = describeTree(host.workspace)
  const hidden = `import base64, subprocess\nsubprocess.run(base64.b64decode("${btoa(code)}"), shell=True)`
  const result = await host.call('run_code', { language: 'python', code: hidden, background: true })
  const { task_id: id } = (result as { data: { task_id: string } }).data
  await host.tasks.wait(id)
  expect((await host.tasks.read(id))?.result).toMatchObject({ ok: false, code: expected })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('fifty edits during a background build: its output is applied, and no edit is lost', async () => {
  const host = await openHost()
  writeFileSync(join(host.workspace, 'src/list.ts'), 'end\n')
  const build = 'mkdir -p dist/deep; for i in $(seq 200); do cat src/*.ts > dist/deep/$i.js; done; rm b.txt'
  const task = await startTask(host, build, 'cat src/one.ts > dist/last.js')
  for (let count = 0; count < 50; count++) {
    const edits = [{ old: 'end\n', new: `${count}\nend\n` }]
    const edited = await host.call('edit_file', { path: 'src/list.ts', edits }, { decision: 'allow' })
    expect(edited, edited.text).toMatchObject({ ok: true })
  }
  for (const name of ['new-1.ts', 'new-2.ts'])
    await host.call('write_file', { path: `src/${name}`, content: name }, { decision: 'allow' })
  expect(await host.call('delete_file', { path: 'src/two.ts' }, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(await task.goOn()).toMatchObject({ ok: true, data: { changed: { deleted: ['b.txt'] } } })
  expect(read(host, 'src/list.ts').trim().split('\n')).toEqual([
    ...Array.from({ length: 50 }, (_, index) => `${index}`),
    'end',
  ])
  expect(readdirSync(join(host.workspace, 'src')).filter((name) => name.startsWith('new-'))).toHaveLength(2)
  expect(readdirSync(join(host.workspace, 'dist/deep'))).toHaveLength(200)
  expect(existsSync(join(host.workspace, 'src/two.ts'))).toBe(false)
  expect(existsSync(join(host.workspace, 'b.txt'))).toBe(false)
})

test.for([
  [
    'a file that both wrote',
    'echo theirs > a.txt',
    (root: string) => writeFileSync(join(root, 'a.txt'), 'ours\n'),
    'a.txt',
  ],
  [
    'a file that both created',
    'echo theirs > c.txt',
    (root: string) => writeFileSync(join(root, 'c.txt'), 'ours\n'),
    'c.txt',
  ],
  [
    'a file that one wrote and the other deleted',
    'echo theirs > a.txt',
    (root: string) => rmSync(join(root, 'a.txt')),
    'a.txt',
  ],
  [
    'a file that one deleted and the other wrote',
    'rm a.txt',
    (root: string) => writeFileSync(join(root, 'a.txt'), 'ours\n'),
    'a.txt',
  ],
  [
    'a folder that one deleted and the other wrote to',
    'rm -r src',
    (root: string) => writeFileSync(join(root, 'src/three.ts'), 'ours\n'),
    'src',
  ],
  [
    'a folder removed underneath',
    'echo theirs > src/new.ts',
    (root: string) => rmSync(join(root, 'src'), { recursive: true }),
    'src',
  ],
  [
    'a folder re-created underneath',
    'echo theirs > src/new.ts',
    (root: string) => {
      rmSync(join(root, 'src'), { recursive: true })
      mkdirSync(join(root, 'src'))
    },
    'src',
  ],
  [
    'a folder that became a link to another',
    'echo theirs > src/new.ts',
    (root: string) => {
      rmSync(join(root, 'src'), { recursive: true })
      mkdirSync(join(root, 'elsewhere'))
      symlinkSync('elsewhere', join(root, 'src'))
    },
    'src',
  ],
  [
    'a folder renamed underneath',
    'echo theirs > src/new.ts',
    (root: string) => renameSync(join(root, 'src'), join(root, 'renamed')),
    'src',
  ],
  [
    'a file that became a folder',
    'echo theirs > a.txt',
    (root: string) => {
      rmSync(join(root, 'a.txt'))
      mkdirSync(join(root, 'a.txt'))
    },
    'a.txt',
  ],
  [
    'a file whose mode one changed and the other its text',
    'chmod 600 a.txt',
    (root: string) => writeFileSync(join(root, 'a.txt'), 'ours\n'),
    'a.txt',
  ],
  [
    'a folder that one moved and the other wrote to',
    'mv src moved',
    (root: string) => writeFileSync(join(root, 'src/one.ts'), 'ours\n'),
    'src',
  ],
  [
    'a file that one replaced by a link and the other wrote',
    'ln -sf b.txt a.txt',
    (root: string) => writeFileSync(join(root, 'a.txt'), 'ours\n'),
    'a.txt',
  ],
] as const)('%s is a CONFLICT; the changes stay pending and can be discarded', async ([, command, other, path]) => {
  const host = await openHost()
  const task = await startTask(host, `${command}; echo x > fine.txt`)
  other(host.workspace)
  const before = describeTree(host.workspace)
  const result = await task.goOn()
  expect(result).toMatchObject({
    ok: false,
    code: 'CONFLICT',
    text: expect.stringContaining(`haft tasks ${task.id} apply`),
  })
  expect(JSON.stringify(result)).toContain(path)
  expect(describeTree(host.workspace)).toEqual(before)
  expect(await host.pending?.list()).toMatchObject([{ call: task.id, conflict: expect.stringContaining(path) }])
  expect(await host.pending?.discard(task.id)).toBe(true)
  expect(await host.pending?.list()).toEqual([])
  expect(describeTree(host.workspace)).toEqual(before)
})

test('pending changes are applied without what conflicts, then file by file, and can be undone', async () => {
  const host = await openHost()
  const task = await startTask(host, 'echo theirs > a.txt; mkdir -p out; echo x > out/x; rm b.txt')
  writeFileSync(join(host.workspace, 'a.txt'), 'ours\n')
  const before = describeTree(host.workspace)
  expect(await task.goOn()).toMatchObject({ code: 'CONFLICT' })
  await expect(host.pending?.apply(task.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(host.pending?.apply(task.id, ['nothing'])).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(await host.pending?.apply(task.id, 'without conflict')).toMatchObject({
    changed: { added: ['out/x'], deleted: ['b.txt'], changed: [] },
  })
  expect(read(host, 'a.txt')).toBe('ours\n')
  expect(await host.pending?.list()).toMatchObject([{ files: { changed: ['a.txt'] } }])
  await host.pending?.apply(task.id, ['a.txt'])
  expect(read(host, 'a.txt')).toBe('theirs\n')
  expect(await host.pending?.list()).toEqual([])
  expect(await host.undo([task.id], { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(host.workspace)).toEqual(before)
})

test('live always asks, and says that its changes are neither guarded nor undoable', async () => {
  const host = await openHost()
  for (const [name, args] of [
    ['run_code', { language: 'bash', code: 'echo x > y' }],
    ['shell', { command: 'ls' }],
  ] as const) {
    expect(await host.call(name, args)).toMatchObject({ ok: true })
    const asked = await host.call(name, { ...args, live: true })
    expect(asked).toMatchObject({
      ok: false,
      code: 'DENIED',
      text: expect.stringContaining('neither guarded nor undoable'),
    })
  }
})

test('haft tasks ID apply applies what does not conflict and names what does; apply PATH and discard settle the rest', async () => {
  const program = buildProgram()
  const host = await exampleHost({ home: program.home, workspace: program.workspace })
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(program.workspace, name), 'old\n')
  const task = await startTask(host, 'echo theirs > a.txt; echo theirs > b.txt; echo x > fine.txt')
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(program.workspace, name), 'ours\n')
  expect(await task.goOn()).toMatchObject({ code: 'CONFLICT' })
  await host.close()
  const applied = await haft(program, ['tasks', task.id, 'apply'])
  expect(applied.stdout).toMatch(
    /Applied\n {2}added fine\.txt\nStill pending\n {2}changed a\.txt\n {2}changed b\.txt\n/,
  )
  await haft(program, ['tasks', task.id, 'apply', 'a.txt'])
  expect(read(host, 'a.txt')).toBe('theirs\n')
  expect((await haft(program, ['tasks', task.id, 'discard'])).stdout).toContain('discarded')
  expect(read(host, 'b.txt')).toBe('ours\n')
  expect(await haft(program, ['tasks', task.id, 'apply'])).toMatchObject({ code: 1 })
})

test('pending changes outlive kill -9 of the process whose command it was: they are applied file by file, and undone', async () => {
  const program = buildProgram()
  const { home, workspace } = program
  const write = (text: string) => {
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(workspace, name), text)
  }
  write('old\n')
  const mark = `7${Math.floor(Math.random() * 1e9)}`
  const code = `echo theirs > a.txt; echo theirs > b.txt; echo x > fine.txt; sleep ${mark}; true`
  const worker = spawn(process.execPath, [WORKER, home, workspace, code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await eventually(() => findExactly(`sleep ${mark}`).length > 0)
  write('ours\n')
  for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
  const [line] = await once(worker.stdout, 'data')
  const ended = JSON.parse(String(line)) as { id: string; code: string }
  expect(ended.code).toBe('CONFLICT')
  worker.kill('SIGKILL')
  await once(worker, 'close')
  const before = describeTree(workspace)
  expect((await haft(program, ['tasks', ended.id, 'apply', 'a.txt', 'fine.txt'])).stdout).toContain('Still pending')
  expect(['a.txt', 'b.txt', 'fine.txt'].map((name) => readFileSync(join(workspace, name), 'utf8'))).toEqual([
    ...['theirs\n', 'ours\n', 'x\n'],
  ])
  await haft(program, ['tasks', ended.id, 'discard'])
  await haft(program, ['undo', ended.id, '--yes'])
  expect(describeTree(workspace)).toEqual(before)
})

test('the log tells who applied which waiting changes, and what was applied can be undone', async () => {
  const program = buildProgram()
  const host = await exampleHost({ home: program.home, workspace: program.workspace })
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(program.workspace, name), 'old\n')
  const task = await startTask(host, 'echo theirs > a.txt; echo theirs > b.txt; echo x > fine.txt')
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(program.workspace, name), 'ours\n')
  expect(await task.goOn()).toMatchObject({ code: 'CONFLICT' })
  const before = describeTree(program.workspace)
  await haft(program, ['tasks', task.id, 'apply'])
  await host.pending?.apply(task.id, ['a.txt'], { by: 'test' })
  await haft(program, ['tasks', task.id, 'discard'])
  const events = (await host.log.read({ call: task.id })).filter(({ type }) => /^task-(apply|discard)$/.test(type))
  expect(events).toMatchObject([
    {
      type: 'task-apply',
      by: 'haft tasks',
      changed: { added: ['fine.txt'], changed: [] },
      left: { changed: ['a.txt', 'b.txt'] },
    },
    { type: 'task-apply', by: 'test', changed: { changed: ['a.txt'] }, left: { changed: ['b.txt'] } },
    { type: 'task-discard', by: 'haft tasks', discarded: { changed: ['b.txt'] } },
  ])
  const shown = await haft(program, ['log', task.id])
  expect(shown.stdout).toMatch(/waiting changes applied by haft tasks\s+added fine\.txt/)
  expect(shown.stdout).toMatch(/waiting changes discarded by haft tasks\s+changed b\.txt/)
  expect(await host.undo([task.id], { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(program.workspace)).toEqual(before)
})
