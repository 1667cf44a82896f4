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

const CONNECTING = [
  'curl -sS https://example.com/data.json -o data.json',
  'wget http://example.com/x.tar.gz',
  'git clone https://example.com/x.git',
  'git pull',
  'git push origin main',
  'pip install requests',
  'npm ci',
  'npx some-package',
  'npm publish',
  'ssh build.example.com uptime',
  `python3 -c "import urllib.request; print(urllib.request.urlopen('http://example.com').read())"`,
  'cd src && curl https://example.com | tee out.txt',
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
  const shown = await host.call('shell', { command: `git ls-remote ${URL}` }, yes)
  expect(shown).toMatchObject({ ok: true, data: { exitCode: 128 } })
  expect(shown.text).toContain(TOLD)
  const bare = await host.call('shell', { command: `git ls-remote ${URL} 2>/dev/null` }, yes)
  expect(bare).toMatchObject({ ok: true, data: { stdout: '', stderr: '', exitCode: 128 } })
  expect(bare.text).toContain(TOLD)
  const code = "import urllib.request\nurllib.request.urlopen('http://haft-test.invalid/')"
  const python = await host.call('run_code', { language: 'python', code })
  expect(python.text).toContain(TOLD)
})

test('a command that waited for the network until its time was up says so', async () => {
  const host = await exampleHost()
  const command = `until git ls-remote ${URL} 2>/dev/null; do sleep 0.2; done`
  const result = await host.call('shell', { command, timeout: 1 }, yes)
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
