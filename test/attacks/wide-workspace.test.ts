import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../src/index.ts'
import { buildProgram, haft } from '../support/built-program.ts'
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

test('the refusal of a wide workspace names how to confirm it at each front end, and that works', async () => {
  const program = buildProgram()
  const env = { HOME: program.workspace }
  const refused = await haft(program, ['call', 'list_directory', '{"path":"."}'], { env })
  expect(refused).toMatchObject({ code: 1 })
  for (const way of ['answer yes', '--yes to haft serve, or to haft call, run or plan', 'confirmWorkspace: () => true'])
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain(way)
  expect(await haft(program, ['call', 'list_directory', '{"path":"."}', '--yes'], { env })).toMatchObject({ code: 0 })
})

test("a workspace that contains Haft's own folder is refused too", async () => {
  const workspace = temporaryFolder()
  await expect(createHost({ workspace, home: join(workspace, 'haft-home'), storage: 'memory' })).rejects.toThrow(
    "contains Haft's own folder",
  )
})
