import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isGone } from '../../../src/sandbox/limits/process-tree.ts'
import { listRunsFolders } from '../../../src/sandbox/overlay/run-folder.ts'
import { untilApplying } from '../../support/applying.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'
import { openProject, runBare, SCRIPTS } from '../../support/projects.ts'
import { openSandboxAs, USERS } from '../../support/sandbox-users.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { describeTree } from '../../support/trees.ts'

/** A workspace and a home on two separate disks, neither of them that of temporary files; undefined if mounting is not permitted. */
function apartPlaces(): { workspace: string; home: string } | undefined {
  const [workspace, home] = [smallDisk(65_536)?.folder, smallDisk(65_536)?.folder]
  return workspace === undefined || home === undefined ? undefined : { workspace, home }
}

describe.for(USERS)('commands of %s whose changes are kept on another file system and copied', (user) => {
  test.for(SCRIPTS)('%s: the same tree as running it without a sandbox', async ([, script], context) => {
    const places = apartPlaces()
    if (places === undefined) return context.skip(NO_SMALL_DISK)
    const { bash, workspace } = openProject(user, places)
    const bare = runBare(script, workspace)
    const report = await bash(script)
    expect(report, JSON.stringify(report)).toMatchObject({ mode: 'copied', ended: 'exit' })
    expect(describeTree(workspace)).toEqual(describeTree(bare))
  })

  test('a file that was only read is not a change, and a command that was stopped applies nothing', async (context) => {
    const places = apartPlaces()
    if (places === undefined) return context.skip(NO_SMALL_DISK)
    const { bash, workspace } = openProject(user, places)
    const before = describeTree(workspace)
    expect(await bash('cat a.txt src/main.py')).toMatchObject({ changed: { added: [], changed: [], deleted: [] } })
    expect(await bash('rm -r src; sleep 60', { limits: { seconds: 1 } })).toMatchObject({ ended: 'timeout' })
    expect(describeTree(workspace)).toEqual(before)
  })

  test('kill -9 while changes are applied: the next start leaves them wholly applied', async (context) => {
    const places = apartPlaces()
    if (places === undefined) return context.skip(NO_SMALL_DISK)
    const { bash, workspace, home, pid, recover } = openProject(user, places)
    const running = bash(
      'for i in {1..3000}; do echo $i > f$i; done; rm -r src; mkdir src; echo y > src/y; echo x >> a.txt',
    )
    const runs = listRunsFolders(home, workspace)[0] ?? ''
    await untilApplying(runs, running)
    process.kill(pid, 'SIGKILL')
    await eventually(() => isGone(pid))
    recover()
    const tree = describeTree(workspace)
    expect(Object.keys(tree).filter((path) => path.includes('tmp'))).toEqual([])
    expect(Object.keys(tree)).toHaveLength(3004)
    expect(tree).toMatchObject({ 'src/y': expect.any(String), 'a.txt': expect.stringContaining('x\n') })
    expect(existsSync(runs)).toBe(false)
  })
})

test('a step that fails reverts the others', async (context) => {
  const places = apartPlaces()
  if (places === undefined) return context.skip(NO_SMALL_DISK)
  const { bash, workspace, run } = openProject('ourselves', places)
  execFileSync('dd', ['if=/dev/zero', `of=${join(workspace, 'full')}`, 'bs=1M', 'count=60'], { stdio: 'ignore' })
  const before = describeTree(workspace)
  const report = await bash('echo x >> a.txt; rm -r src; dd if=/dev/zero of=big bs=1M count=20 2>/dev/null')
  expect(report.failed, JSON.stringify(report)).toBeDefined()
  expect(describeTree(workspace)).toEqual(before)
  expect(await run({ argv: ['true'] })).toMatchObject({ exitCode: 0 })
})

test('where the disk of the workspace has no room for what a command wrote, nothing is applied or lost, and the error says how much is missing', async (context) => {
  const [workspace, home] = [smallDisk(6_144)?.folder, smallDisk(65_536)?.folder]
  if (workspace === undefined || home === undefined) return context.skip(NO_SMALL_DISK)
  for (const name of ['f1', 'f2', 'f3']) writeFileSync(join(workspace, name), name.repeat(524_288))
  const before = describeTree(workspace)
  const { bash } = openSandboxAs('ourselves', { workspace, home })
  const report = await bash('for f in f1 f2 f3; do head -c 1990000 /dev/zero > $f; done; echo new > g')
  expect(report).toMatchObject({
    failed: 'EXECUTION_ERROR',
    message: expect.stringMatching(
      /^The files that the command wrote take 5\.7 MB, and the disk of the workspace has 3\.0 MB left: 2\.7 MB are missing\. None of its changes were applied\./,
    ),
  })
  expect(describeTree(workspace)).toEqual(before)
  expect(await bash('for f in f1 f3; do head -c 1490000 /dev/zero > $f; done; rm f2')).toMatchObject({
    changed: { changed: ['f1', 'f3'], deleted: ['f2'] },
  })
  expect(Object.keys(describeTree(workspace))).toEqual(['f1', 'f3'])
})

test('kill -9 while changes are copied into the workspace: the next start removes the copies', async (context) => {
  const places = apartPlaces()
  if (places === undefined) return context.skip(NO_SMALL_DISK)
  const { bash, workspace, pid, recover } = openSandboxAs('ourselves', places)
  const running = bash('for i in {1..3000}; do echo $i > f$i; done')
  running.catch(() => undefined)
  const copies = () => readdirSync(workspace).filter((name) => name.startsWith('.haft-'))
  while (copies().length === 0) await new Promise((resolve) => setImmediate(resolve))
  process.kill(pid, 'SIGKILL')
  await eventually(() => isGone(pid))
  recover()
  expect(copies()).toEqual([])
  expect([0, 3000]).toContain(readdirSync(workspace).length)
})

test('a workspace that is itself an overlay gets another overlay, and undo works there', async (context) => {
  if (process.getuid?.() !== 0) return context.skip(NO_SMALL_DISK)
  const [layers, merged] = [temporaryFolder(), temporaryFolder()]
  for (const name of ['lower', 'upper', 'work']) mkdirSync(join(layers, name))
  const options = `lowerdir=${layers}/lower,upperdir=${layers}/upper,workdir=${layers}/work`
  execFileSync('mount', ['-t', 'overlay', 'haft-test', '-o', options, merged])
  onTestFinished(() => void execFileSync('umount', ['-l', merged]))
  for (const name of ['workspace', 'home']) mkdirSync(join(merged, name), { mode: 0o700 })
  const workspace = join(merged, 'workspace')
  writeFileSync(join(workspace, 'a.txt'), 'one\n')
  const before = describeTree(workspace)
  const host = await exampleHost({ workspace, home: join(merged, 'home') })
  const code = 'echo two > a.txt; mkdir -p b/c; rm a.txt; echo three > a.txt'
  expect(await host.call('run_code', { language: 'bash', code })).toMatchObject({
    ok: true,
    data: { changed: { added: ['b/c/'], changed: ['a.txt'] } },
  })
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('three\n')
  expect(await host.undo(await host.undoable(), { decision: 'allow' })).toMatchObject({ ok: true })
  expect(describeTree(workspace)).toEqual(before)
})
