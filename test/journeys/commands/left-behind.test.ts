import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isGone } from '../../../src/sandbox/limits/process-tree.ts'
import { buildProgram, haft } from '../../support/built-program.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'
import { openSandboxAs, USERS } from '../../support/sandbox-users.ts'

function holdWriter(workspace: string, path: string): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../support/held-writer.ts'), workspace, path], {
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).sort()
}

async function writeWithNewHost(workspace: string, path: string): Promise<void> {
  const host = await exampleHost({ workspace })
  expect(await host.call('write_file', { path, content: 'whole' }, { decision: 'allow' })).toMatchObject({ ok: true })
}

test('what a killed writer left is removed when a later host writes there; what a living one writes is not touched', async () => {
  const workspace = temporaryFolder()
  const folder = join(workspace, 'notes')
  mkdirSync(folder)
  const writer = holdWriter(workspace, 'notes/held.txt')
  await eventually(() => namesIn(folder).length === 1)
  const [temporary = ''] = namesIn(folder)
  expect(temporary).toMatch(/^\.haft-.*\.tmp$/)
  await writeWithNewHost(workspace, 'notes/first.txt')
  expect(namesIn(folder)).toEqual([temporary, 'first.txt'])
  const ended = once(writer, 'exit')
  writer.kill('SIGKILL')
  await ended
  await writeWithNewHost(workspace, 'notes/second.txt')
  expect(namesIn(folder)).toEqual(['first.txt', 'second.txt'])
})

test('what may be written by a process of another machine or container stays, and so do names that are not ours', async () => {
  const workspace = temporaryFolder()
  const names = ['.haft-0123456789ab-4194305-0123456789ab-1.tmp', '.haft-0123456789ab.tmp', '.haft-notes.tmp']
  for (const name of names) writeFileSync(join(workspace, name), '')
  await writeWithNewHost(workspace, 'new.txt')
  expect(namesIn(workspace)).toEqual([...names, 'new.txt'].sort())
})

test('where no sandbox can start, haft doctor and a refused command leave nothing in the workspace', async () => {
  const program = buildProgram()
  const programs = temporaryFolder()
  for (const name of ['bash', 'sh', 'cat', 'ls', 'git', 'env', 'sed', 'grep'])
    symlinkSync(`/bin/${name}`, join(programs, name))
  const env = { PATH: programs }
  await haft(program, ['doctor'], { env })
  expect(namesIn(program.workspace)).toEqual([])
  await haft(program, ['call', 'shell', '{"command":"true"}', '--yes'], { env })
  await haft(program, ['call', 'shell', '{"command":"true","live":true}', '--yes'], { env })
  expect(namesIn(program.workspace)).toEqual([])
})

describe.for(USERS)('what guards the workspace of %s while a command works on it', (user) => {
  const untilThere = 'until [ -e $0 ]; do sleep 0.02; done'

  test('is removed at the next start after a kill -9, and nothing of a person', async () => {
    const { runTogether, workspace, pid, recover } = openSandboxAs(user)
    runTogether([{ argv: ['bash', '-c', 'echo > started; exec sleep 600'], direct: true }]).catch(() => undefined)
    await eventually(() => existsSync(join(workspace, 'started')))
    expect(namesIn(workspace)).toEqual(['.git', '.haft', 'started'])
    process.kill(pid, 'SIGKILL')
    await eventually(() => isGone(pid))
    rmdirSync(join(workspace, '.haft'))
    mkdirSync(join(workspace, 'between'))
    mkdirSync(join(workspace, '.haft'))
    recover()
    expect(namesIn(workspace)).toEqual(['.haft', 'between', 'started'])
  })

  test('stays until the last of several processes is done with it', async () => {
    const first = openSandboxAs(user)
    const second = openSandboxAs(user, first)
    const { workspace } = first
    const one = first.run({ argv: ['bash', '-c', `echo > started; ${untilThere}`, 'end1'], direct: true })
    await eventually(() => existsSync(join(workspace, 'started')))
    const two = second.bash(`echo > more; ${untilThere.replace('$0', 'end2')}; mkdir .git/x .haft/x`, { direct: true })
    await eventually(() => existsSync(join(workspace, 'more')))
    writeFileSync(join(workspace, 'end1'), '')
    await one
    expect(namesIn(workspace)).toEqual(['.git', '.haft', 'end1', 'more', 'started'])
    writeFileSync(join(workspace, 'end2'), '')
    expect((await two).stderr).toContain('Read-only file system')
    expect(namesIn(workspace)).toEqual(['end1', 'end2', 'more', 'started'])
  })
})

test.for(['/proc/haft', '/proc/1/deep/haft'])(
  'HAFT_HOME=%s, which cannot be made, is a clear error at once',
  async (home) => {
    const program = buildProgram()
    for (const args of [
      ['call', 'list_directory', '{"path":"."}'],
      ['tools', 'new', 'a'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await haft(program, args, { env: { HAFT_HOME: home } })
      expect(code).toBe(1)
      expect(stderr.replace(/\s+/g, ' ')).toContain(
        `Haft's own folder ${home} cannot be made: /proc${home.includes('/1/') ? '/1' : ''} does not take new folders. Set HAFT_HOME`,
      )
    }
  },
)

test('a folder for temporary files that is not there is a clear error of the command', async () => {
  const program = buildProgram()
  const env = { TMPDIR: '/proc/haft' }
  const { code, stderr } = await haft(program, ['call', 'shell', '{"command":"true"}', '--yes'], { env })
  expect(code).toBe(1)
  expect(stderr.replace(/\s+/g, ' ')).toContain('/proc/haft, cannot be written. Set TMPDIR to a folder')
})
