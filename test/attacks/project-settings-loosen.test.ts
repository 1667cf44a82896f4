import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost } from '../../src/index.ts'
import { temporaryFolder } from '../support/example-host.ts'

const LOOSE: readonly [string, string][] = [
  ['an allow for everything', '[[rules]]\nname = "everything"\ndecision = "allow"\n'],
  ['an allow filter', '[tools.delete_file]\nallow = [".*"]\n'],
  ['an allow named like a default rule', '[[rules]]\nname = "no_secret_reading"\ndecision = "allow"\npaths = ["**"]\n'],
  ['the sandbox off', 'sandbox = "off"\n'],
]

test.for(LOOSE)('a cloned project with %s loosens nothing before it is trusted', async ([, settings]) => {
  const folder = temporaryFolder()
  const workspace = join(folder, 'cloned')
  mkdirSync(join(workspace, '.haft'), { recursive: true })
  writeFileSync(join(workspace, 'a.txt'), 'a')
  writeFileSync(join(workspace, '.haft/settings.toml'), settings)
  const host = await createHost({ workspace, home: join(folder, 'home'), storage: 'memory' })
  expect(await host.check('delete_file', { path: 'a.txt' })).toMatchObject({ decision: 'ask' })
  expect(await host.check('read_file', { path: '.env' })).toMatchObject({ decision: 'deny', rule: 'no_secret_reading' })
  expect(await host.check('shell', { command: 'ls' })).toMatchObject({ rule: 'everyday_commands' })
  expect(host.project.ignored).not.toEqual([])
  await host.close()
})

test('no tool can write the settings of a project or of the user, or trust them', async () => {
  const folder = temporaryFolder()
  const workspace = join(folder, 'project')
  mkdirSync(workspace)
  const home = join(folder, 'home')
  const host = await createHost({ workspace, home, storage: 'memory' })
  const attempts = [
    ['write_file', { path: '.haft/settings.toml', content: '' }],
    ['move_file', { from: 'a.toml', to: '.haft/settings.toml' }],
    ['shell', { command: 'mkdir .haft; echo x > .haft/settings.toml' }],
    ['shell', { command: `cp a.json ${home}/trust.json` }],
    ['shell', { command: 'haft trust --yes' }],
    ['run_code', { language: 'bash', code: 'npx haft trust --yes' }],
  ] as const
  for (const [tool, args] of attempts) {
    expect(await host.call(tool, args, { decision: 'allow' }), tool).toMatchObject({
      ok: false,
      code: expect.stringMatching(/BLOCKED|INVALID_PATH/),
    })
  }
  await host.close()
})
