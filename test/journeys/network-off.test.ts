import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Host, HostOptions } from '../../src/index.ts'
import { exampleHost } from '../support/example-host.ts'

const SAID = 'the network is off here; this will fail'
const TOLD = 'network is off'

/** A host whose approver denies everything, and the requests it got. */
async function hostWithPerson(options: HostOptions = {}): Promise<{ host: Host; asked: ApprovalRequest[] }> {
  const asked: ApprovalRequest[] = []
  const host = await exampleHost({
    ...options,
    approver: {
      async ask(request) {
        asked.push(request)
        return { approved: false }
      },
    },
  })
  return { host, asked }
}

async function reasonFor(command: string, options: HostOptions = {}): Promise<string> {
  const { host, asked } = await hostWithPerson(options)
  await host.call('shell', { command })
  expect(asked).toHaveLength(1)
  return asked[0]?.reason ?? ''
}

/** Commands that get access to hosts when a person says yes. */
const OPENED: readonly (readonly [command: string, hosts: string])[] = [
  ['curl -sS https://example.com/data.json -o data.json', 'example.com'],
  ['wget http://example.com:8080/x.tar.gz', 'example.com:8080'],
  ['git clone https://example.com/x.git', 'example.com'],
  ['pip install requests', 'PyPI (pypi.org, files.pythonhosted.org)'],
  ['pip install -i https://pip.example.com/simple requests', 'pip.example.com'],
  ['npm ci', 'the npm registry (registry.npmjs.org)'],
  ['npm install --registry=https://npm.example.com x', 'npm.example.com'],
  [
    'npm ci && pip install git+https://git.example.com/x',
    'the npm registry (registry.npmjs.org), PyPI (pypi.org, files.pythonhosted.org) and git.example.com',
  ],
  ['npx some-package', 'the npm registry (registry.npmjs.org)'],
  ['npm publish', 'the npm registry (registry.npmjs.org)'],
  ['cargo install ripgrep', 'crates.io (index.crates.io, static.crates.io, crates.io)'],
  ['go get example.com/x', 'the Go module proxy (proxy.golang.org, sum.golang.org, storage.googleapis.com)'],
  [`python3 -c "import urllib.request; print(urllib.request.urlopen('http://example.com').read())"`, 'example.com'],
  ['cd src && curl https://example.com | tee out.txt', 'example.com'],
]

test.for(OPENED)(
  'the approval request for `%s` names the hosts that it gets access to: %s',
  async ([command, hosts]) => {
    expect(await reasonFor(command)).toContain(`for this run it gets access to ${hosts}`)
  },
)

test('the hosts of a project come from its own settings: registry of npm, remotes of git', async () => {
  const { host, asked } = await hostWithPerson()
  writeFileSync(
    join(host.workspace, '.npmrc'),
    'registry = https://npm.example.com/\n@own:registry=https://own.example.com\n',
  )
  mkdirSync(join(host.workspace, '.git'))
  writeFileSync(join(host.workspace, '.git/config'), '[remote "origin"]\n\turl = https://git.example.com/x.git\n')
  await host.call('shell', { command: 'npm install' })
  await host.call('shell', { command: 'git pull' })
  expect(asked.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('access to npm.example.com and own.example.com'),
    expect.stringContaining('access to git.example.com'),
  ])
})

/** Commands whose hosts are not known, or that use no proxy. */
const CONNECTING = [
  'git pull',
  'git push origin main',
  'ssh build.example.com uptime',
  'scp a.txt build.example.com:b.txt',
]

test.for(CONNECTING)(
  'the approval request for `%s` says that the network is off and that it will fail',
  async (command) => {
    expect(await reasonFor(command)).toContain(SAID)
  },
)

test.for([
  'curl http://localhost:3000/health',
  'curl http://127.0.0.1:8080',
  'python3 -m http.server',
  'rm -rf build/*',
])('the approval request for `%s`, which needs no network, does not mention it', async (command) => {
  expect(await reasonFor(command)).not.toContain('network is off')
})

test.for(CONNECTING)(
  'with the sandbox off there is a network, and the approval request for `%s` does not mention it',
  async (command) => {
    expect(await reasonFor(command, { sandbox: 'off' })).not.toContain('network is off')
  },
)

test('a check says it too, and so does the refusal where nobody can be asked', async () => {
  const host = await exampleHost()
  expect((await host.check('shell', { command: 'git pull' })).text).toContain(SAID)
  const result = await host.call('shell', { command: 'git pull' })
  expect(result).toMatchObject({ code: 'DENIED', text: expect.stringContaining(SAID) })
})

const yes = { decision: 'allow' } as const
const URL = 'https://haft-test.invalid/x.git'

test('the result of a command that failed to reach another machine says that the network is off', async () => {
  const host = await exampleHost()
  const run = (code: string) => host.call('run_code', { language: 'bash', code })
  const shown = await run(`git ls-remote ${URL}`)
  expect(shown).toMatchObject({ ok: true, data: { exitCode: 128 } })
  expect(shown.text).toContain(TOLD)
  const bare = await run(`git ls-remote ${URL} 2>/dev/null`)
  expect(bare).toMatchObject({ ok: true, data: { stdout: '', stderr: '', exitCode: 128 } })
  expect(bare.text).toContain(TOLD)
  const code = "import urllib.request\nurllib.request.urlopen('http://haft-test.invalid/')"
  const python = await host.call('run_code', { language: 'python', code })
  expect(python.text).toContain(TOLD)
})

test('a command that waited for the network until its time was up says so', async () => {
  const host = await exampleHost()
  const code = `until git ls-remote ${URL} 2>/dev/null; do sleep 0.2; done`
  const result = await host.call('run_code', { language: 'bash', code, timeout: 1 })
  expect(result).toMatchObject({ code: 'TIMEOUT', text: expect.stringContaining(TOLD) })
})

const FAILURES = [
  'curl: (6) Could not resolve host: example.com',
  'ssh: Could not resolve hostname x: Temporary failure in name resolution',
  'ping: example.com: Name or service not known',
  'connect: Network is unreachable',
  "Temporary failure resolving 'deb.debian.org'",
  'npm error code EAI_AGAIN',
  'Error: getaddrinfo ENOTFOUND registry.npmjs.org',
  "wget: bad address 'example.com'",
  'java.net.UnknownHostException: repo.maven.apache.org',
  'dial tcp: lookup proxy.golang.org on [::1]:53: connection refused',
  'curl: (7) Failed to connect to 93.184.216.34 port 80 after 0 ms',
]

test.for(FAILURES)('a program that says "%s" is explained in the sandbox, and not where it is off', async (words) => {
  const command = `echo ${JSON.stringify(words)} >&2; exit 1`
  expect((await (await exampleHost()).call('shell', { command }, yes)).text).toContain(TOLD)
  expect((await (await exampleHost({ sandbox: 'off' })).call('shell', { command }, yes)).text).not.toContain(TOLD)
})

test.for(['echo done', 'ls nowhere', 'echo "curl: (7) Failed to connect to localhost port 3000" >&2; exit 7'])(
  'the result of `%s` says nothing of the network',
  async (command) => {
    expect((await (await exampleHost()).call('shell', { command }, yes)).text).not.toContain(TOLD)
  },
)
