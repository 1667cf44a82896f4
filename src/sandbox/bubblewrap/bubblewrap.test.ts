import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/example-host.ts'
import { programs } from '../../app/programs/programs.ts'
import { chooseSandbox } from '../choose.ts'

/** Returns the arguments that bubblewrap gets for a command, recorded by a stub that runs nothing. */
async function argumentsOfRun(): Promise<readonly string[]> {
  const folder = temporaryFolder()
  const workspace = join(folder, 'workspace')
  const notes = join(folder, 'notes')
  const stub = join(folder, 'bwrap')
  mkdirSync(workspace)
  writeFileSync(stub, `#!/bin/sh\nprintf '%s\\n' "$@" > '${notes}'\nexit 1\n`)
  chmodSync(stub, 0o755)
  const sandbox = await chooseSandbox({
    workspace,
    home: join(folder, 'home'),
    off: false,
    env: { PATH: folder, SECRET_TOKEN: 'hush' },
    programs: { ...programs, system: (name) => (name === 'bwrap' ? stub : programs.system(name)) },
    replaced: () => undefined,
  })
  onTestFinished(() => sandbox.close())
  const run = sandbox.run({ argv: ['true'], direct: true }, { call: 'c_1', signal: new AbortController().signal })
  await expect(run).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  return readFileSync(notes, 'utf8').split('\n')
}

test('bubblewrap is started with every isolation option and an empty environment', async () => {
  const told = await argumentsOfRun()
  const namespaces = ['user', 'pid', 'net', 'ipc', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`)
  for (const flag of [...namespaces, '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'])
    expect(told).toContain(flag)
  expect(told.join(' ')).toMatch(/--cap-drop ALL .*--remount-ro \/ --remount-ro \/proc --remount-ro \/dev -- \/bin\/sh/)
  expect(told.join(' ')).not.toContain('hush')
})

test('where no overlay can be made, no command runs in the mode review', async () => {
  // Every folder that could hold the changes is inside this workspace.
  const sandbox = await chooseSandbox({
    workspace: '/',
    off: false,
    env: process.env,
    programs,
    home: temporaryFolder(),
    replaced: () => undefined,
  })
  onTestFinished(() => sandbox.close())
  const owner = { call: 'c_1', signal: new AbortController().signal, mode: 'review' } as const
  await expect(sandbox.run({ argv: ['true'] }, owner)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('In the mode review a command needs an overlay'),
  })
})
