import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../src/index.ts'
import { temporaryFolder } from '../support/example-host.ts'

test.for([
  ['the root folder of this machine', '/'],
  ['contains your home folder', homedir()],
] as const)('a workspace that is %s is refused unless a person confirms it', async ([reason, workspace]) => {
  await expect(createHost({ workspace, storage: 'memory' })).rejects.toThrow(reason)
  await expect(createHost({ workspace, storage: 'memory', confirmWorkspace: () => false })).rejects.toThrow(reason)
  const host = await createHost({ workspace, storage: 'memory', confirmWorkspace: () => true })
  expect(await host.check('shell', { command: 'rm -rf .ssh' })).toMatchObject({ decision: 'deny' })
  await host.close()
})

test("a workspace that contains Haft's own folder is refused too", async () => {
  const workspace = temporaryFolder()
  await expect(createHost({ workspace, home: join(workspace, 'haft-home'), storage: 'memory' })).rejects.toThrow(
    "contains Haft's own folder",
  )
})
