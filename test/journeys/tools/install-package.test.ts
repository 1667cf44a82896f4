import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalRequest, HostOptions } from '../../../src/index.ts'
import { createHost } from '../../../src/index.ts'
import { exampleHost, temporaryFolder } from '../../support/example-host.ts'
import { writeFiles } from '../../support/git.ts'
import { npmRegistry } from '../../support/web/registries.ts'
import { openTestNetwork } from '../../support/web/test-network.ts'

const PUBLIC = '93.184.216.34'
const NPMRC = 'registry=http://packages.test/\naudit=false\nfund=false\nupdate-notifier=false\nfetch-retries=0\n'

async function open(approved = true) {
  const listener = npmRegistry('http://packages.test', { postinstall: 'touch ../../ran' })
  const network = await openTestNetwork({ 'packages.test': [[PUBLIC]], 'other.test': [[PUBLIC]] }, listener)
  const asked: ApprovalRequest[] = []
  const options: HostOptions = {
    ...{ workspace: temporaryFolder(), home: temporaryFolder(), network },
    approver: {
      ask(request) {
        asked.push(request)
        return Promise.resolve({ approved })
      },
    },
  }
  const host = await createHost(options)
  onTestFinished(() => host.close())
  writeFiles(host.workspace, { 'package.json': '{"name":"x","version":"1.0.0"}', '.npmrc': NPMRC })
  return { host, asked, network }
}

test('S1.13 install_package asks, reaches the registry alone through the proxy, and runs no install script', async () => {
  const { host, asked, network } = await open()
  const result = await host.call('install_package', { packages: ['greeting@1.0.0'], dev: true })
  expect(result).toMatchObject({ ok: true, data: { exitCode: 0 } })
  expect(asked).toMatchObject([
    { preview: { text: 'npm install --ignore-scripts --save-dev --no-audit --no-fund -- greeting@1.0.0' } },
  ])
  expect(asked[0]?.reason).toContain('for this run it gets access to packages.test')
  expect(asked[0]?.summary?.sentence).toBe('Install `greeting@1.0.0` with npm')
  expect(readFileSync(join(host.workspace, 'node_modules/greeting/index.js'), 'utf8')).toContain(
    'hello from the registry',
  )
  expect(JSON.parse(readFileSync(join(host.workspace, 'package.json'), 'utf8'))).toMatchObject({
    devDependencies: { greeting: expect.any(String) },
  })
  expect(existsSync(join(host.workspace, 'ran'))).toBe(false)
  expect(new Set(network.lookups)).toEqual(new Set(['packages.test']))
})

test('install scripts run only where that was asked for and approved', async () => {
  const { host, asked } = await open()
  await host.call('install_package', { packages: ['greeting'], scripts: true })
  expect(asked[0]?.summary?.sentence).toContain('whose install scripts run in the sandbox')
  expect(existsSync(join(host.workspace, 'ran'))).toBe(true)
})

test('a no installs nothing', async () => {
  const { host, network } = await open(false)
  expect(await host.call('install_package', { packages: ['greeting'] })).toMatchObject({ ok: false, code: 'DENIED' })
  expect(network.connected).toEqual([])
  expect(existsSync(join(host.workspace, 'node_modules'))).toBe(false)
})

test.for([
  '--registry=http://other.test',
  '../evil',
  'git+https://other.test/x',
  'https://other.test/x.tgz',
  'a b',
  'x;touch y',
  'file:x',
  '-g',
])('what is not a package of the registry is refused before anybody is asked: %s', async (name) => {
  const { host, asked } = await open()
  const result = await host.call('install_package', { packages: [name] })
  expect(result.ok).toBe(false)
  expect(asked).toEqual([])
})

test('the manager of another kind of project must be named, and the answer says which it uses', async () => {
  const host = await exampleHost()
  writeFileSync(join(host.workspace, 'pnpm-lock.yaml'), '')
  writeFileSync(join(host.workspace, 'package.json'), '{}')
  const result = await host.call('install_package', { packages: ['zod'] }, { decision: 'allow' })
  expect(result).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS', text: expect.stringContaining('uses pnpm') })
  const pip = await host.call('install_package', { packages: ['requests==2.0'], manager: 'pip' }, { decision: 'allow' })
  expect(pip).toMatchObject({
    ok: false,
    code: 'FILE_NOT_FOUND',
    text: expect.stringContaining('python3 -m venv .venv'),
  })
})
