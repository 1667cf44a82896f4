import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programs } from '../../src/app/programs/programs.ts'
import { chooseSandbox } from '../../src/sandbox/choose.ts'
import { eventually, findInNamespace } from '../support/processes.ts'
import { NETWORK, openSandboxAs, USERS } from '../support/sandbox-users.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MEGABYTE = 1024 ** 2
const WAYS = [
  ['without a network', {}],
  ['with a network', { network: NETWORK }],
] as const

/** Forks until it is refused, and prints how often it was not. */
const FORK = `
import os, time
count = 0
try:
    while count < 200:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        count += 1
except OSError: pass
print(count, flush=True)
`

/** Uses so many megabytes for longer than the interval of the watcher. */
const use = (megabytes: number) => `
import time
block = bytearray(${megabytes} << 20)
for at in range(0, len(block), 4096): block[at] = 1
print('used', flush=True)
time.sleep(1)
`

/** Asks every process that it can see to open Node's inspector, and has one that does print its control groups and start a thousand others. */
const USE_INSPECTOR = `
import base64, json, os, signal, socket, struct, time, urllib.request
seen = [int(name) for name in os.listdir('/proc') if name.isdigit()]
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
for pid in seen + [-1]:
    try: os.kill(pid, signal.SIGUSR1)
    except OSError: pass
print(len(seen))
def find():
    for _ in range(20):
        try: return json.load(urllib.request.build_opener(urllib.request.ProxyHandler({})).open('http://127.0.0.1:9229/json/list', timeout=5))[0]
        except OSError: time.sleep(0.1)
found = find()
if found is None: print('no inspector')
else:
    code = "process.getBuiltinModule('child_process').execSync('cat /proc/self/cgroup; i=0; while [ $i -lt 1000 ]; do sleep 30 & i=$((i+1)); done; echo $i')+''"
    opened = socket.create_connection(('127.0.0.1', 9229), 10)
    opened.sendall(('GET /' + found['id'] + ' HTTP/1.1\\r\\nHost: localhost:9229\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: ' + base64.b64encode(os.urandom(16)).decode() + '\\r\\n\\r\\n').encode())
    opened.recv(4096)
    sent = json.dumps({'id': 1, 'method': 'Runtime.evaluate', 'params': {'expression': code}}).encode()
    opened.sendall(struct.pack('!BBH4s', 0x81, 0x80 | 126, len(sent), bytes(4)) + sent)
    print(opened.recv(65536))
`

describe.for(USERS)('a command of %s meets the same limits', (user) => {
  test('of processes: as many can be started with a network as without', async () => {
    const { python } = openSandboxAs(user)
    const started: number[] = []
    for (const [, more] of [...WAYS, ...WAYS]) {
      const { stdout } = await python(FORK, { limits: { processes: 40, seconds: 20 }, ...more })
      started.push(Number(stdout))
    }
    expect(started[0]).toBeGreaterThan(30)
    expect(started[0]).toBeLessThanOrEqual(40)
    expect(new Set(started).size, started.join(' ')).toBe(1)
  })

  test.for(WAYS)('of memory, %s: just under it runs, just over it is ended', async ([, more]) => {
    const { python } = openSandboxAs(user)
    const limits = { memory: 200 * MEGABYTE, seconds: 25 }
    expect(await python(use(180), { limits, ...more })).toMatchObject({ ended: 'exit', exitCode: 0, stdout: 'used\n' })
    expect((await python(use(210), { limits, ...more })).ended).toBe('memory')
  })

  test.for(WAYS)('of processor time, output and wall time, %s', async ([, more]) => {
    const { bash } = openSandboxAs(user)
    const run = async (command: string, limits: object) => (await bash(command, { limits, ...more })).ended
    expect(await run('while :; do :; done', { cpuSeconds: 1, seconds: 30 })).toBe('cpu')
    expect(await run('yes', { output: 100_000, seconds: 30 })).toBe('output')
    expect(await run('sleep 30', { seconds: 1 })).toBe('timeout')
  })

  test('a command sees, signals and traces as much with a network as without: nothing of Haft that could leave its limits', async () => {
    const { python } = openSandboxAs(user)
    for (const [, more] of WAYS)
      expect((await python(USE_INSPECTOR, { limits: { processes: 40, seconds: 25 }, ...more })).stdout).toBe(
        '2\nno inspector\n',
      )
  })

  test('every process that a command could reach is in its control groups', async () => {
    const { runTogether, workspace, pid } = openSandboxAs(user)
    const lost = runTogether([
      { argv: ['bash', '-c', 'readlink /proc/self/ns/pid > ns; exec sleep 600'], network: NETWORK, direct: true },
    ])
    lost.catch(() => undefined)
    const file = join(workspace, 'ns')
    const namespace = () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
    await eventually(() => namespace() !== '')
    const inside = findInNamespace(namespace())
    expect(inside).toHaveLength(2)
    expect(new Set(inside.map((one) => readFileSync(`/proc/${one}/cgroup`, 'utf8'))).size).toBe(1)
    process.kill(pid, 'SIGKILL')
  })

  test('the forwarder is no child of the command, which may wait for all of its children', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python('import os\ntry: os.wait()\nexcept ChildProcessError: print("none")', {
      network: NETWORK,
      limits: { seconds: 10 },
    })
    expect(stdout).toBe('none\n')
  })

  test('the command has no descriptor of the connection that carries its network', async () => {
    const { bash } = openSandboxAs(user)
    const { stdout } = await bash('ls -l /proc/$$/fd | grep -c socket', { network: NETWORK })
    expect(stdout).toBe('0\n')
  })

  test('the forwarder takes no more than 512 connections at once, so that its memory is bounded', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python(
      `
import os, select, socket, urllib.parse
proxy = urllib.parse.urlparse(os.environ['http_proxy'])
opened = [socket.create_connection((proxy.hostname, proxy.port), 10) for _ in range(600)]
closed = select.poll()
for one in opened: closed.register(one, select.POLLIN | select.POLLHUP)
gone = set()
while len(gone) < 88:
    events = closed.poll(5000)
    if not events: break
    for number, _ in events:
        gone.add(number)
        closed.unregister(number)
print(len(gone), len(closed.poll(300)))
`,
      { network: NETWORK, limits: { seconds: 30 } },
    )
    expect(stdout).toBe('88 0\n')
  })

  test('the forwarder ends with the command, and with Haft when that is killed', async () => {
    const { bash, runTogether, workspace, pid } = openSandboxAs(user)
    const namespace = 'readlink /proc/self/ns/net'
    const { stdout } = await bash(namespace, { network: NETWORK })
    await eventually(() => findInNamespace(stdout.trim()).length === 0)
    const lost = runTogether([
      { argv: ['bash', '-c', `${namespace} > ns; exec sleep 600`], network: NETWORK, direct: true },
    ])
    lost.catch(() => undefined)
    const file = join(workspace, 'ns')
    const written = () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
    await eventually(() => written() !== '')
    // The shell that became the command, the first process and the forwarder.
    expect(findInNamespace(written()).length).toBeGreaterThanOrEqual(3)
    process.kill(pid, 'SIGKILL')
    await eventually(() => findInNamespace(written()).length === 0)
  })
})

test('a forwarder that does not start is a clear error, and nothing is run', async () => {
  const folder = temporaryFolder()
  const forwarder = join(folder, 'forwarder.mjs')
  writeFileSync(forwarder, 'process.exit(3)')
  const workspace = temporaryFolder()
  const options = { workspace, home: join(folder, 'home'), env: process.env, programs, off: false, forwarder }
  const sandbox = await chooseSandbox({ ...options, replaced: () => undefined })
  onTestFinished(() => sandbox.close())
  const order = { argv: ['touch', 'ran'], network: NETWORK }
  await expect(sandbox.run(order, { call: 'c_1', signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('the program that carries its network did not start'),
  })
  expect(readdirSync(workspace)).toEqual([])
})
