import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { eventually } from '../../support/processes.ts'

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
