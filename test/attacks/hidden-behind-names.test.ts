import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'

async function hostWithSecrets(): Promise<Host> {
  const host = await exampleHost()
  const at = (path: string) => join(host.workspace, path)
  mkdirSync(at('keys'))
  writeFileSync(at('.env'), 'TOKEN=CANARY\n')
  writeFileSync(at('keys/id_rsa'), 'CANARY\n')
  writeFileSync(at('notes.txt'), 'a CANARY sings\n')
  symlinkSync('.env', at('settings.txt'))
  symlinkSync('keys', at('folder'))
  return host
}

test.for([{ path: '.env' }, { path: 'keys/id_rsa' }, { path: 'settings.txt' }, { path: 'folder/id_rsa' }])(
  'a file that a rule does not let be read stays so under another name: $path',
  async (args) => {
    const host = await hostWithSecrets()
    const result = await host.call('read_file', args, { decision: 'allow' })
    expect(result).toMatchObject({ ok: false, code: 'BLOCKED' })
    expect(JSON.stringify(result)).not.toContain('CANARY')
  },
)

test('it cannot be moved to a name that may be read', async () => {
  const host = await hostWithSecrets()
  expect(await host.call('move_file', { from: '.env', to: 'plain.txt' }, { decision: 'allow' })).toMatchObject({
    ok: false,
    code: 'BLOCKED',
  })
})

test('a search passes over what may not be read and finds the rest', async () => {
  const host = await hostWithSecrets()
  const result = await host.call('search_text', { pattern: 'CANARY' })
  expect(result).toMatchObject({ ok: true })
  expect(result.text).toContain('notes.txt')
  expect(result.text).not.toContain('id_rsa')
  expect(result.text).not.toContain('.env')
})
