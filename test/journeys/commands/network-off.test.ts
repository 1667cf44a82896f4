import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Host, HostOptions } from '../../../src/index.ts'
import { exampleHost } from '../../support/example-host.ts'

const SAID = 'the network is off here; this will fail'
const NO_SSH = 'this will fail: ssh does not get out of the sandbox; for git, use the https address of the repository'
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

test('a word that looks like an address of ssh is none where git connects to nothing', async () => {
  const { host } = await hostWithPerson()
  const { text } = await host.check('shell', { command: 'git commit -m "me@example.com: first"; rm -rf old/*' })
  expect(text).not.toContain('ssh')
})

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

/** Files of a project, a command, and the hosts that both name. */
const FROM_FILES: readonly (readonly [file: string, text: string, command: string, hosts: string])[] = [
  ['.npmrc', 'registry=https://npm.example.com/', 'npm ci', 'npm.example.com'],
  ['.npmrc', '# registry=https://npm.example.com/', 'npm ci', 'the npm registry (registry.npmjs.org)'],
  ['.yarnrc.yml', 'npmRegistryServer: "https://yarn.example.com"', 'yarn install', 'yarn.example.com'],
  ['bunfig.toml', '[install]\nregistry = "https://bun.example.com"', 'bun install', 'bun.example.com'],
  [
    'package-lock.json',
    '"resolved": "https://registry.npmjs.org/a"\n"resolved": "git+https://git.example.com/b"',
    'npm ci',
    'the npm registry (registry.npmjs.org) and git.example.com',
  ],
  ['req.txt', '-i https://pip.example.com/simple\nx', 'pip install -r req.txt', 'pip.example.com'],
  ['req.txt', 'x\n# https://other.example.com', 'pip install -r req.txt', 'PyPI (pypi.org, files.pythonhosted.org)'],
  [
    'req.txt',
    'x @ https://files.example.com/x.whl',
    'pip install --requirement=req.txt',
    'PyPI (pypi.org, files.pythonhosted.org) and files.example.com',
  ],
  ['req.txt', '-i https://pip.example.com/', 'pip install x', 'PyPI (pypi.org, files.pythonhosted.org)'],
  ['.venv/pip.conf', '[global]\nindex-url = https://pip.example.com/', '.venv/bin/pip install x', 'pip.example.com'],
  [
    'pyproject.toml',
    '[[tool.uv.index]]\nurl = "https://torch.example.com/whl"',
    'uv sync',
    'PyPI (pypi.org, files.pythonhosted.org) and torch.example.com',
  ],
  ['Pipfile', '[[source]]\nurl = "https://pip.example.com/simple"', 'pipenv install', 'pip.example.com'],
  [
    '.cargo/config.toml',
    '[source.crates-io]\nreplace-with = "own"\n[source.own]\nregistry = "sparse+https://crates.example.com/"',
    'cargo install x',
    'crates.example.com',
  ],
  ['Gemfile', "source 'https://gems.example.com'", 'bundle install', 'gems.example.com'],
  ['x', '', 'GOPROXY=https://go.example.com,direct go get x', 'go.example.com'],
  ['x', '', 'UV_DEFAULT_INDEX=https://uv.example.com/simple uv pip install x', 'uv.example.com'],
]

test.for(FROM_FILES)('with %s of %j, the request for `%s` names %s', async ([file, text, command, hosts]) => {
  const { host, asked } = await hostWithPerson()
  mkdirSync(dirname(join(host.workspace, file)), { recursive: true })
  writeFileSync(join(host.workspace, file), text)
  await host.call('shell', { command })
  expect(asked[0]?.reason.endsWith(`for this run it gets access to ${hosts}`), asked[0]?.reason).toBe(true)
})

/** Commands whose hosts are not known, or that use no proxy. */
const UNKNOWN = ['git pull', 'git push origin main']
const SSH = [
  'ssh build.example.com uptime',
  'scp a.txt build.example.com:b.txt',
  'git clone git@example.com:x/y.git',
  'git fetch ssh://git@example.com/x/y.git',
]
const CONNECTING = [...UNKNOWN, ...SSH]

test.for(UNKNOWN)(
  'the approval request for `%s` says that the network is off and that it will fail',
  async (command) => {
    expect(await reasonFor(command)).toContain(SAID)
  },
)

test.for(SSH)('the approval request for `%s` says that ssh does not get out, and that https does', async (command) => {
  expect(await reasonFor(command)).toContain(NO_SSH)
})

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
    expect(await reasonFor(command, { sandbox: 'off' })).not.toMatch(/network is off|will fail/)
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
