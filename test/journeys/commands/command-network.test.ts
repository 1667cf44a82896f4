import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Event, Host, Result } from '../../../src/index.ts'
import { findInNamespace } from '../../support/processes.ts'
import { gitServer, npmRegistry, pythonIndex } from '../../support/web/registries.ts'
import { openTestNetwork, type TestNetwork } from '../../support/web/test-network.ts'
import { hostWithSettings } from '../../support/web/web-host.ts'

const PUBLIC = '93.184.216.34'

interface Opened {
  readonly host: Host
  readonly network: TestNetwork
  readonly asked: ApprovalRequest[]
  readonly connected: Extract<Event, { type: 'call-connect' }>[]
}

/** A host whose person says yes to everything; `packages.test` and `other.test` lead to the server. */
async function open(listener: RequestListener, settings = ''): Promise<Opened> {
  const asked: ApprovalRequest[] = []
  const connected: Opened['connected'] = []
  const network = await openTestNetwork({ 'packages.test': [[PUBLIC]], 'other.test': [[PUBLIC]] }, listener)
  const host = await hostWithSettings(settings, {
    network,
    approver: {
      async ask(request) {
        asked.push(request)
        return { approved: true }
      },
    },
  })
  host.on((event) => event.type === 'call-connect' && connected.push(event))
  for (const [index, certificate] of (network.certificates ?? []).entries())
    writeFileSync(join(host.workspace, `ca${index}.pem`), certificate)
  return { host, network, asked, connected }
}

const OPEN = '[sandbox]\nnetwork = ["packages.test"]\n'
const echo: RequestListener = (request, response) => response.end(`host ${request.headers.host} path ${request.url}\n`)

async function python(host: Host, code: string): Promise<Result> {
  return host.call('run_code', { language: 'python', code })
}

test('npm installs from a registry: the question names the host, and the yes opens just that one', async () => {
  const { host, asked, connected } = await open(npmRegistry('http://packages.test'))
  writeFileSync(join(host.workspace, 'package.json'), '{"dependencies":{"greeting":"1.0.0"}}')
  writeFileSync(
    join(host.workspace, '.npmrc'),
    'registry=http://packages.test/\naudit=false\nfund=false\nupdate-notifier=false\n',
  )
  const result = await host.call('shell', { command: 'npm install', timeout: 120 })
  expect(result.text).toContain('added 1 package')
  expect(asked.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('for this run it gets access to packages.test'),
  ])
  expect(readFileSync(join(host.workspace, 'node_modules/greeting/index.js'), 'utf8')).toContain(
    'hello from the registry',
  )
  expect(connected.every(({ host: to, allowed }) => allowed && to === 'packages.test')).toBe(true)
  expect(connected.length).toBeGreaterThan(0)
})

test('the question for npm ci without settings of its own names the npm registry', async () => {
  const { host } = await open(echo)
  const { decision, text } = await host.check('shell', { command: 'npm ci' })
  expect(decision).toBe('ask')
  expect(text).toContain('the npm registry (registry.npmjs.org)')
})

test('pip installs from an index', async () => {
  const { host, connected } = await open(pythonIndex())
  const command =
    'python3 -m pip install --no-input --disable-pip-version-check --target lib --index-url http://packages.test/simple --trusted-host packages.test greeting'
  const result = await host.call('shell', { command, timeout: 120 })
  expect(result.text).toContain('Successfully installed greeting-1.0.0')
  expect(readFileSync(join(host.workspace, 'lib/greeting.py'), 'utf8')).toContain('hello from the index')
  expect(new Set(connected.map(({ host: to }) => to))).toEqual(new Set(['packages.test']))
})

test('git clones and fetches over https', async () => {
  const { host, asked } = await open(gitServer())
  const clone =
    'git -c http.sslCAInfo=$PWD/ca0.pem clone -q https://packages.test/project.git copy && cat copy/README.md'
  expect((await host.call('shell', { command: clone, timeout: 60 })).text).toContain('hello from git')
  expect(asked.at(-1)?.reason).toContain('packages.test')
})

test('curl reaches an approved host over http and https, and a POST arrives', async () => {
  const bodies: string[] = []
  const { host } = await open((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(String(chunk)))
    request.on('end', () => response.end(`got ${request.method} for ${request.headers.host}\n`))
  })
  const command = 'curl -sS -d a=1 http://packages.test/x; curl -sS --cacert ca0.pem https://packages.test/y'
  const result = await host.call('shell', { command })
  expect(result.text).toContain('got POST for packages.test\ngot GET for packages.test')
  expect(bodies).toEqual(['a=1'])
})

test('a host that was not approved is refused with a text that the program shows, and the refusal is logged', async () => {
  const { host, network, connected } = await open(echo, OPEN)
  const code = `
import urllib.request, urllib.error
for scheme in ('http', 'https'):
    try:
        print(urllib.request.urlopen(scheme + '://other' + '.test/').read())
    except urllib.error.HTTPError as error:
        print(error.code, error.reason, error.read().decode())
    except OSError as error:
        print(error)
`
  const result = await python(host, code)
  expect(result.text.match(/other\.test is not open to this command/g)?.length).toBeGreaterThanOrEqual(2)
  expect(network.connected).toEqual([])
  expect(network.lookups).toEqual([])
  expect(connected).toMatchObject([
    { host: 'other.test', allowed: false, reason: expect.stringContaining('Open to it: packages.test') },
    { host: 'other.test', allowed: false },
  ])
})

test('a yes counts for one call: the next command has no network', async () => {
  const { host, network } = await open(echo)
  expect((await host.call('shell', { command: 'curl -sS http://packages.test/' })).text).toContain('host packages.test')
  const later = await python(host, "import urllib.request; urllib.request.urlopen('http://packages.test/')")
  expect(later).toMatchObject({ data: { exitCode: 1 } })
  expect(network.connected).toHaveLength(1)
})

test('a command that connects to an address, does its own DNS, or speaks to the proxy as it likes gets nowhere', async () => {
  const { host, network } = await open(echo, OPEN)
  const code = `
import os, socket, urllib.parse
def attempt(name, work):
    try:
        print(name, 'REACHED', work())
    except OSError as error:
        print(name, 'failed', type(error).__name__)
def reach(address, port):
    with socket.create_connection((address, port), 2) as connection:
        return connection
def ask(lines):
    proxy = urllib.parse.urlparse(os.environ['HTTP_PROXY'])
    with socket.create_connection((proxy.hostname, proxy.port), 5) as connection:
        connection.sendall('\\r\\n'.join(lines).encode() + b'\\r\\n\\r\\n')
        return connection.recv(4000).decode().split('\\r\\n')[0]
attempt('literal', lambda: reach('${PUBLIC}', 80))
attempt('ipv6', lambda: reach('2606:2800:220:1::1', 80))
attempt('dns', lambda: socket.getaddrinfo('packages.test', 80))
def query():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.settimeout(1)
        udp.sendto(b'x', ('8.8.8.8', 53))
        return udp.recv(100)
attempt('udp', query)
for target in ('${PUBLIC}:443', 'packages.test:22', 'packages.test:8080', '127.0.0.1:4242', 'localhost:22', '[::1]:22', '169.254.169.254:80', 'packages.test', 'packages.test:99999', '0:80', '2130706433:80'):
    print('CONNECT', target, ask(['CONNECT ' + target + ' HTTP/1.1', 'Host: packages.test:80']))
print('absolute', ask(['GET http://${PUBLIC}/ HTTP/1.1', 'Host: packages.test', 'Connection: close']))
print('https', ask(['GET https://packages.test/ HTTP/1.1', 'Host: packages.test', 'Connection: close']))
print('origin', ask(['GET / HTTP/1.1', 'Host: packages.test', 'Connection: close']))
`
  const { text } = await python(host, code)
  expect(text).not.toContain('REACHED')
  const answers = text.split('\n').filter((line) => /^(CONNECT|absolute|https|origin) /.test(line))
  expect(answers).toHaveLength(14)
  for (const line of answers) expect(line).toMatch(/HTTP\/1\.1 40[03] Haft: /)
  expect(network.connected).toEqual([])
})

test('the Host header cannot name another host than the address', async () => {
  const { host } = await open(echo, OPEN)
  const sent = "curl -sS -H 'Host: other.test' http://packages.test/"
  expect((await host.call('shell', { command: sent })).text).toContain('host packages.test path /')
})

test('a connection to an approved host cannot ask its server for another one: Host header and TLS server name are compared', async () => {
  const seen: string[] = []
  const { host, connected } = await open((request, response) => {
    seen.push(String(request.headers.host))
    response.end('served')
  }, OPEN)
  const code = `
import os, socket, ssl, urllib.parse
def tunnel(port):
    proxy = urllib.parse.urlparse(os.environ['HTTP_PROXY'])
    connection = socket.create_connection((proxy.hostname, proxy.port), 5)
    connection.sendall(f'CONNECT packages.test:{port} HTTP/1.1\\r\\n\\r\\n'.encode())
    assert b' 200 ' in connection.recv(4000)
    return connection
def ask(name, host, secure):
    try:
        connection = tunnel(443 if secure else 80)
        if secure:
            context = ssl._create_unverified_context()
            connection = context.wrap_socket(connection, server_hostname=host)
        request = f'GET / HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n'.encode()
        for byte in request[:40]:
            connection.sendall(bytes([byte]))
        connection.sendall(request[40:])
        print(name, 'served' in connection.recv(4000).decode())
    except OSError as error:
        print(name, 'failed')
ask('own http', 'packages.test', False)
ask('own https', 'packages.test', True)
ask('other http', 'other.test', False)
ask('other https', 'other.test', True)
`
  const { text } = await python(host, code)
  expect(text).toContain('own http True\nown https True\n')
  expect(text).not.toMatch(/other https? True/)
  expect(seen).toEqual(['packages.test', 'packages.test'])
  expect(connected.filter(({ allowed }) => !allowed).map(({ reason }) => reason)).toEqual([
    expect.stringContaining('asked for other.test'),
    expect.stringContaining('asked for other.test'),
  ])
})

test('a websocket is carried like any other connection', async () => {
  const { host } = await open(echo, OPEN)
  // The server of the test speaks no websocket; what counts is that the upgrade reaches it and its answer comes back.
  const code = `
import os, socket, urllib.parse
proxy = urllib.parse.urlparse(os.environ['HTTP_PROXY'])
connection = socket.create_connection((proxy.hostname, proxy.port), 5)
connection.sendall(b'CONNECT packages.test:80 HTTP/1.1\\r\\n\\r\\n')
print(connection.recv(4000))
connection.sendall(b'GET /ws HTTP/1.1\\r\\nHost: packages.test\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n')
print(connection.recv(4000).decode())
`
  expect((await python(host, code)).text).toContain('host packages.test path /ws')
})

test('a name that leads to a private address, or changes its answer to one, is refused', async () => {
  const network = await openTestNetwork({ 'packages.test': [[PUBLIC], ['10.0.0.7'], [PUBLIC, '127.0.0.1']] }, echo)
  const host = await hostWithSettings(OPEN, { network })
  const command = 'for i in 1 2 3; do curl -sS http://packages.test/; done'
  const { text } = await host.call('shell', { command }, { decision: 'allow' })
  expect(text).toContain('host packages.test')
  expect(text).toContain('leads to 10.0.0.7, which is not a public address')
  expect(text).toContain('leads to 127.0.0.1, which is not a public address')
  expect(network.connected).toEqual([`${PUBLIC}:80`])
})

test("an address with a port in the settings opens exactly that, and Haft's own port stays closed", async () => {
  const network = await openTestNetwork({}, echo)
  const settings = '[server]\nport = 4300\n[sandbox]\nnetwork = ["127.0.0.1:4873", "127.0.0.1:4300", "10.1.2.3:8080"]\n'
  const host = await hostWithSettings(settings, { network })
  const run = async (command: string) => (await host.call('run_code', { language: 'bash', code: command })).text
  expect(await run('curl -sS http://127.0.0.1:4873/; curl -sS http://10.1.2.3:8080/')).toBe(
    'host 127.0.0.1:4873 path /\nhost 10.1.2.3:8080 path /',
  )
  const refused = await run('curl -sS http://10.1.2.3:8081/; curl -sS http://10.1.2.4:8080/')
  expect(refused).toContain('10.1.2.3:8081 is not open to this command')
  expect(refused).toContain('10.1.2.4:8080 is not open to this command')
  expect(await host.call('shell', { command: 'curl -sS http://127.0.0.1:4300/' }, { decision: 'allow' })).toMatchObject(
    { code: 'BLOCKED' },
  )
  expect(await run('H=127.0.0.1; curl -sS -m 5 http://$H:$((4200 + 100))/')).not.toContain('host ')
  expect(network.connected).toEqual(['127.0.0.1:4873', '10.1.2.3:8080'])
})

test('an address without a port in the settings opens nothing that is not public', async () => {
  const network = await openTestNetwork({}, echo)
  const host = await hostWithSettings('[sandbox]\nnetwork = ["10.1.2.3", "127.0.0.1", "localhost"]\n', { network })
  const code = 'for to in 10.1.2.3 127.0.0.1 localhost; do curl -sS -m 5 --noproxy "" http://$to/; done'
  const { text } = await host.call('run_code', { language: 'bash', code })
  expect(text).toContain('10.1.2.3 is not a public address')
  expect(text.match(/^Haft: .* is not a public address/gm)).toHaveLength(3)
  expect(network.connected).toEqual([])
})

test('a rule on hosts opens a host without a question, and a deny closes it whatever the settings say', async () => {
  const rules = '[[rules]]\nname = "our packages"\nhosts = ["packages.test"]\ndecision = "allow"\n'
  const allowed = await open(echo, rules)
  expect((await allowed.host.call('shell', { command: 'curl -sS http://packages.test/' })).text).toContain(
    'host packages.test',
  )
  expect(allowed.asked).toEqual([])
  const code = "import urllib.request; print(urllib.request.urlopen('http://packages' + '.test/').read())"
  expect((await python(allowed.host, code)).text).toContain('host packages.test')
  const denied = await open(echo, `${OPEN}[[rules]]\nname = "not that"\nhosts = ["packages.test"]\ndecision = "deny"\n`)
  expect((await python(denied.host, code.replace('print', 'str'))).text).toContain('403')
  expect(denied.network.connected).toEqual([])
})

test('a rule that allows every command opens no host that the command does not name', async () => {
  const { host, network } = await open(
    echo,
    `[[rules]]\nname = "all"\ntools = ["shell", "run_code"]\ndecision = "allow"\n`,
  )
  const { text } = await python(
    host,
    "import urllib.request; print(urllib.request.urlopen('http://pack' + 'ages.test/').read())",
  )
  expect(text).not.toContain('host packages.test')
  expect(network.connected).toEqual([])
})

test('beside a rule on another host, a rule that allows every command still opens nothing', async () => {
  const rules =
    '[[rules]]\nname = "all"\ntools = ["shell", "run_code"]\ndecision = "allow"\n[[rules]]\nname = "one"\nhosts = ["other.test"]\ndecision = "allow"\n'
  const { host, network } = await open(echo, rules)
  const code =
    "import urllib.request as u\nfor n in ('other', 'pack' + 'ages'):\n    print(u.urlopen('http://' + n + '.test/').read())"
  const { text } = await python(host, code)
  expect(text).toContain('host other.test')
  expect(text).toContain('packages.test is not open to this command')
  expect(network.lookups).toEqual(['other.test'])
})

test('the hosts that a yes opens are those that were shown, also when a file that names them changes meanwhile', async () => {
  const network = await openTestNetwork(
    { 'packages.test': [[PUBLIC]], 'other.test': [[PUBLIC]] },
    npmRegistry('http://packages.test'),
  )
  const host = await hostWithSettings('', { network })
  const npmrc = join(host.workspace, '.npmrc')
  writeFileSync(npmrc, 'registry=http://packages.test/\nfetch-retries=0\n')
  const asked: string[] = []
  await host.call(
    'shell',
    { command: 'npm view greeting version', timeout: 60 },
    {
      approver: {
        async ask(request) {
          asked.push(request.reason)
          writeFileSync(npmrc, 'registry=http://other.test/\nfetch-retries=0\n')
          return { approved: true }
        },
      },
    },
  )
  expect(asked).toEqual([expect.stringContaining('access to packages.test')])
  expect(network.lookups).not.toContain('other.test')
})

test('a large body arrives whole, also where it is read slowly', async () => {
  const size = 8_000_000
  const { host } = await open((_, response) =>
    response.writeHead(200, { connection: 'close' }).end(Buffer.alloc(size, 'x')),
  )
  const command =
    'curl -sS http://packages.test/ | (sleep 1; wc -c); curl -sS --cacert ca0.pem https://packages.test/ | (sleep 1; wc -c)'
  expect((await host.call('shell', { command })).text).toBe(`${size}\n${size}`)
})

test('code that runs without a question gets no host by naming it', async () => {
  const { host, asked, network } = await open(echo)
  await host.call('run_code', { language: 'bash', code: 'curl -sS http://packages.test/' })
  expect(asked).toEqual([])
  expect(network.connected).toEqual([])
})

test('nothing of the forwarder is left when the command has ended, and a time limit ends it too', async () => {
  const { host } = await open(echo, OPEN)
  for (const rest of ['', '; sleep 60']) {
    const result = await host.call('shell', { command: `readlink /proc/self/ns/net${rest}`, timeout: 10 })
    const [namespace = ''] = /net:\[\d+\]/.exec(JSON.stringify(result)) ?? []
    expect(namespace).not.toBe('')
    // The kernel may take a moment to end what was killed.
    await expect.poll(() => findInNamespace(namespace)).toEqual([])
  }
})

test.for(['http', 'https'])(
  'git ls-remote, fetch and pull over %s reach the remote that the question names',
  async (scheme) => {
    const { host, asked } = await open(gitServer())
    const git = (...args: string[]) => execFileSync('git', args, { cwd: host.workspace, stdio: 'ignore' })
    git('init', '-q', '-b', 'main')
    git('remote', 'add', 'origin', `${scheme}://packages.test/project.git`)
    git('config', 'http.sslCAInfo', join(host.workspace, 'ca0.pem'))
    const run = async (command: string) => (await host.call('shell', { command, timeout: 60 })).text
    expect(await run('git ls-remote origin')).toContain('refs/heads/main')
    expect(await run('git fetch -q origin; git log --format=%s origin/main')).toContain('first')
    expect(await run('git pull -q origin main; cat README.md')).toContain('hello from git')
    expect(asked).toHaveLength(3)
    for (const { reason } of asked) expect(reason).toContain('it gets access to packages.test')
  },
)

test('npm ci installs what the lock file names', async () => {
  const { host, asked } = await open(npmRegistry('http://packages.test'))
  const write = (name: string, text: string) => writeFileSync(join(host.workspace, name), text)
  write('package.json', '{"dependencies":{"greeting":"1.0.0"}}')
  write('.npmrc', 'registry=http://packages.test/\naudit=false\nfund=false\nupdate-notifier=false\n')
  await host.call('shell', { command: 'npm install --package-lock-only', timeout: 120 })
  expect((await host.call('shell', { command: 'npm ci', timeout: 120 })).text).toContain('added 1 package')
  expect(asked).toHaveLength(2)
  expect(asked.at(-1)?.reason).toContain('it gets access to packages.test')
})

test('pip download takes the index of a file of requirements; an index in a variable is denied', async () => {
  const { host, asked } = await open(pythonIndex())
  writeFileSync(
    join(host.workspace, 'requirements.txt'),
    '--index-url http://packages.test/simple\n--trusted-host packages.test\ngreeting==1.0.0\n',
  )
  const pip = 'python3 -m pip download --no-input --disable-pip-version-check -d wheels'
  const result = await host.call('shell', { command: `${pip} -r requirements.txt`, timeout: 120 })
  expect(result.text).toContain('Successfully downloaded greeting')
  expect(asked.at(-1)?.reason).toContain('it gets access to packages.test')
  expect(readdirSync(join(host.workspace, 'wheels'))).toEqual(['greeting-1.0.0-py3-none-any.whl'])
  const variable = await host.call('shell', { command: `PIP_INDEX_URL=http://packages.test/simple ${pip} greeting` })
  expect(variable).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('no_injected_programs') })
})

test('curl of an IPv6 address, in whatever form, is refused with a text that says how to open a host', async () => {
  const { host, network } = await open(echo, OPEN)
  const addresses = ['[::ffff:7f00:1]', '[2606:2800:220:1::1]', '[::ffff:93.184.216.34]', '[64:ff9b::5db8:d822]']
  const code = addresses.map((address) => `curl -sS -g -m 5 'http://${address}/'; echo`).join('\n')
  const { text } = await host.call('run_code', { language: 'bash', code })
  expect(
    text.match(/^Haft: .* is not open to this command\. Open to it: packages\.test\. A person can open a host/gm),
  ).toHaveLength(4)
  expect(network.connected).toEqual([])
})

test('ssh does not get out: the question says so before, the result after, each with the way forward', async () => {
  const { host, asked } = await open(echo, OPEN)
  execFileSync('git', ['init', '-q'], { cwd: host.workspace })
  execFileSync('git', ['remote', 'add', 'origin', 'git@packages.test:project.git'], { cwd: host.workspace })
  const { text } = await host.call('shell', { command: 'git fetch', timeout: 20 })
  expect(asked.at(-1)?.reason).toContain('ssh does not get out of the sandbox; for git, use the https address')
  expect(text).toContain('git remote set-url origin https://HOST/PATH')
})
