import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Host } from '../../src/index.ts'
import { exampleHost, temporaryFolder } from '../support/example-host.ts'

const KEY =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\n-----END OPENSSH PRIVATE KEY-----\n'
const BODY = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE'

/** A host that says yes to everything, in a workspace with these files. */
async function hostWith(files: Readonly<Record<string, string>>, prepare?: (workspace: string) => void): Promise<Host> {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'keys'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(workspace, path), text)
  prepare?.(workspace)
  return exampleHost({ workspace, approver: { ask: async () => ({ approved: true }) } })
}

/** Reads a file with a script, so that no rule sees which one. */
const READER = 'for name in $(echo "$1" | rev); do cat "$(echo "$name" | rev)"; done 2>&1; echo done\n'
const read = (host: Host, path: string) => host.call('shell', { command: `bash reader.sh ${path}` })

test('a command cannot read a key file that rules deny to read, though the file is there', async () => {
  const host = await hostWith({ 'keys/id_ed25519': KEY, 'reader.sh': READER })
  const { text } = await read(host, 'keys/id_ed25519')
  expect(text).toContain('Permission denied')
  expect(text).not.toContain(BODY)
  expect((await host.call('shell', { command: 'ls keys' })).text).toContain('id_ed25519')
})

test('a command can neither open the hidden file to itself nor replace it, and the real one stays as it is', async () => {
  const script =
    'cd keys; chmod 644 id_rsa; mv id_rsa x; cp id_rsa y; rm -f id_rsa; echo z > id_rsa; cat id_rsa x y; echo done\n'
  const host = await hostWith({ 'keys/id_rsa': KEY, 'try.sh': script })
  const result = await host.call('shell', { command: 'bash try.sh 2>&1' })
  expect(result.text).toContain('done')
  expect(result.text).not.toContain(BODY)
  expect(readFileSync(join(host.workspace, 'keys/id_rsa'), 'utf8')).toBe(KEY)
})

test('a key file that appears later is hidden from the next command, also from one that was prepared before', async () => {
  const host = await hostWith({ 'reader.sh': READER })
  for (let round = 0; round < 2; round++) await host.call('shell', { command: 'true' })
  writeFileSync(join(host.workspace, '.netrc'), `machine a login b password ${BODY}\n`)
  const { text } = await read(host, '.netrc')
  expect(text).toContain('Permission denied')
  expect(text).not.toContain(BODY)
})

test('a key file that git tracks stays readable to commands, and what it holds is masked in the log', async () => {
  const git = (workspace: string, ...args: string[]) =>
    execFileSync('git', ['-C', workspace, ...args], { stdio: 'pipe' })
  const fixture = 'user:$apr1$x5Yz$0123456789abcdefghijkl\n'
  const host = await hostWith({ 'keys/.htpasswd': fixture, 'reader.sh': READER }, (workspace) => {
    git(workspace, 'init', '-q')
    git(workspace, 'add', '-f', 'keys/.htpasswd')
  })
  expect((await read(host, 'keys/.htpasswd')).text).toContain(fixture.trim())
  const logged = JSON.stringify([await host.log.read(), await host.log.calls()])
  expect(logged).not.toContain(fixture.trim())
  expect(logged).toMatch(/\[masked [0-9a-f]{4}\]/)
})

test('commands see every file in a workspace without key files', async () => {
  const host = await hostWith({ 'keys/id_rsa.pub': 'ssh-rsa public', '.env': 'A=1\n', 'reader.sh': READER })
  expect((await read(host, 'keys/id_rsa.pub')).text).toContain('ssh-rsa public')
  expect((await read(host, '.env')).text).toContain('A=1')
})

test.for([
  'id_rsa',
  'id_ecdsa_sk',
  'deploy_key',
  'wallet.dat',
  '.netrc',
  '.git-credentials',
  '.pgpass',
  '.htpasswd',
  '.vault_pass',
  '.dockercfg',
])('what is hidden is what the rules deny to read: %s', async (name) => {
  const host = await hostWith({ [`keys/${name}`]: KEY, 'reader.sh': READER })
  expect(await host.check('read_file', { path: `keys/${name}` })).toMatchObject({ rule: 'no_secret_reading' })
  expect((await read(host, `keys/${name}`)).text).toContain('Permission denied')
})
