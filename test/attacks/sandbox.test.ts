import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/example-host.ts'
import { eventually, findProcesses } from '../support/processes.ts'
import { openSandboxAs, USERS } from '../support/sandbox-users.ts'

const MEGABYTE = 1024 ** 2

function uniqueNumber(): string {
  return `7${Math.floor(Math.random() * 1e9)}`
}

describe.for(USERS)('S1.6 the sandbox of %s', (user) => {
  test('the workspace is what it can write, and nothing else', async () => {
    const { bash, workspace } = openSandboxAs(user)
    const outside = join(tmpdir(), `haft-escape-${uniqueNumber()}`)
    const { stdout, stderr } = await bash(
      `for f in ${outside} /usr/x /etc/x /x /dev/x /proc/x /run/x /bin/x /opt/x ${homedir()}/x; do echo bad > $f; done 2>/dev/null; echo ok > good; cat good`,
    )
    expect({ stdout, stderr }).toEqual({ stdout: 'ok\n', stderr: '' })
    expect(readFileSync(join(workspace, 'good'), 'utf8')).toBe('ok\n')
    for (const path of [outside, '/usr/x', '/etc/x', '/x', '/dev/x', '/run/x', '/bin/x', '/opt/x', `${homedir()}/x`])
      expect(existsSync(path), path).toBe(false)
  })

  test('/proc/sys cannot be written', async () => {
    const { bash } = openSandboxAs(user)
    // What is written is what is there, so that a sandbox that fails this harms nobody.
    const { stdout } = await bash(
      'for f in kernel/core_pattern kernel/threads-max vm/swappiness; do v=$(cat /proc/sys/$f) && (printf %s "$v" > /proc/sys/$f) 2>/dev/null && echo wrote $f; done; true',
    )
    expect(stdout).toBe('')
  })

  test('no secret, no home, no other temporary file can be read', async () => {
    const { bash } = openSandboxAs(user)
    const other = temporaryFolder()
    writeFileSync(join(other, 'note'), 'a secret')
    const { stdout } = await bash(
      `cat /etc/shadow /etc/sudoers ${homedir()}/.ssh/* ${homedir()}/.bashrc ${homedir()}/.npmrc ${other}/note 2>/dev/null; ls ${homedir()} /root /home /var /srv /mnt /sys 2>/dev/null | grep -v : ; cat /etc/passwd | wc -l; true`,
    )
    expect(stdout.trim()).toBe('2')
  })

  test('the environment holds no token', async () => {
    const { bash } = openSandboxAs(user)
    const { stdout } = await bash('env; cat /proc/*/environ | tr "\\0" "\\n"')
    expect(stdout).toContain('PATH=')
    expect(stdout).not.toContain('hush')
  })

  test('a command has no terminal, and its session is led by nobody outside', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python(
      "import os\nprint(os.getsid(0) > 0)\ntry: os.open('/dev/tty', os.O_RDWR)\nexcept OSError: print('no terminal')",
    )
    expect(stdout).toBe('True\nno terminal\n')
  })

  test('no descriptor of the outside is open inside', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python("import os; print(sorted(os.listdir('/proc/self/fd'), key=int)[:-1])")
    expect(stdout).toBe("['0', '1', '2']\n")
  })

  test('no TCP, no UDP, no DNS', async () => {
    const { python } = openSandboxAs(user)
    const server = createServer(() => undefined).listen(0, '0.0.0.0')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { stdout } = await python(`
import socket
def attempt(name, work):
    try: work(); print(name, 'worked')
    except OSError as error: print(name, 'refused')
def tcp(host, port):
    s = socket.socket(); s.settimeout(2); s.connect((host, port))
attempt('loopback', lambda: tcp('127.0.0.1', ${port}))
attempt('tcp', lambda: tcp('1.1.1.1', 53))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53)))
attempt('dns', lambda: socket.getaddrinfo('example.com', 80))
attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('vsock', lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
`)
    expect(stdout.trim().split('\n')).toEqual(
      ['loopback', 'tcp', 'udp', 'dns', 'raw', 'vsock'].map((name) => `${name} refused`),
    )
  })

  test('its own loopback works, for programs that test themselves', async () => {
    const { python } = openSandboxAs(user)
    const { stdout, stderr } = await python(`
import socket
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname())
print('connected')
a, b = socket.socketpair(); a.send(b'pair'); print(b.recv(9).decode())
`)
    expect({ stdout, stderr }).toEqual({ stdout: 'connected\npair\n', stderr: '' })
  })

  test('no socket of the outside can be reached by path or by abstract name', async () => {
    const { python, workspace } = openSandboxAs(user)
    const heard: string[] = []
    const paths = [join(workspace, 'door.sock'), `\0haft-${uniqueNumber()}`]
    for (const path of paths) {
      const server = createServer(() => heard.push(path)).listen(path)
      await new Promise((resolve) => server.once('listening', resolve))
      onTestFinished(() => void server.close())
    }
    chmodSync(join(workspace, 'door.sock'), 0o777)
    const { stdout } = await python(
      `
import socket
for path in ['door.sock', '${paths[1]?.replace('\0', '\\0')}']:
    try: socket.socket(socket.AF_UNIX).connect(path); print('connected')
    except OSError: print('refused')
`,
      { direct: true },
    )
    expect(stdout).toBe('refused\nrefused\n')
    expect(heard).toEqual([])
  })

  test('no ptrace, no mount, no new namespace, no keys, no other kernel interface', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python(`
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *args):
    ctypes.set_errno(0)
    result = libc.syscall(*args)
    print(name, 'worked' if result != -1 else os.strerror(ctypes.get_errno()))
N = ${JSON.stringify(process.arch === 'arm64' ? { ptrace: 117, unshare: 97, mount: 40, keyctl: 219, bpf: 280, clone: 220, setns: 268, read: 270 } : { ptrace: 101, unshare: 272, mount: 165, keyctl: 250, bpf: 321, clone: 56, setns: 308, read: 310 })}
attempt('ptrace', N['ptrace'], 0, 0, 0, 0)
attempt('user namespace', N['unshare'], 0x10000000)
attempt('mount namespace', N['unshare'], 0x20000)
attempt('clone into a namespace', N['clone'], 0x10000000 | 17, 0, 0, 0, 0)
attempt('clone3', 435, 0, 0)
attempt('mount', N['mount'], b'none', b'/tmp', b'tmpfs', 0, 0)
attempt('new mount interface', 430, b'tmpfs', 0)
attempt('keys', N['keyctl'], 0, -3, 1)
attempt('bpf', N['bpf'], 0, 0, 0)
attempt('io_uring', 425, 8, 0)
attempt('memory of others', N['read'], 1, 0, 0, 0, 0, 0)
attempt('setns', N['setns'], 0, 0)
`)
    const refused = 'Operation not permitted'
    expect(Object.fromEntries(stdout.trim().split('\n').map(splitLast))).toEqual({
      ptrace: refused,
      'user namespace': refused,
      'mount namespace': refused,
      'clone into a namespace': refused,
      clone3: 'Function not implemented',
      mount: refused,
      'new mount interface': refused,
      keys: refused,
      bpf: refused,
      io_uring: refused,
      'memory of others': refused,
      setns: refused,
    })
  })

  test('no sandbox in the sandbox, no capability, no way up', async () => {
    const { bash } = openSandboxAs(user)
    const { stdout } = await bash(
      'unshare --user true 2>/dev/null && echo nested; bwrap --ro-bind / / true 2>/dev/null && echo nested; grep -E "CapEff|CapPrm|NoNewPrivs" /proc/self/status | tr -s "\\t" " "; chroot / true 2>/dev/null && echo chroot; mount -o remount,rw / 2>/dev/null && echo remounted; mknod d b 1 1 2>/dev/null && echo device; true',
    )
    expect(stdout).toBe('CapPrm: 0000000000000000\nCapEff: 0000000000000000\nNoNewPrivs: 1\n')
  })

  test('the terminal cannot be typed into', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python(`
import fcntl, os, pty
try: os.open('/dev/tty', os.O_RDWR); print('has a terminal')
except OSError: print('no terminal')
parent, child = pty.openpty()
for request in (0x5412, 0x541c):
    try: fcntl.ioctl(child, request, b'x'); print('typed')
    except OSError as error: print(error.strerror)
`)
    expect(stdout).toBe('no terminal\nOperation not permitted\nOperation not permitted\n')
  })

  test('no process of the outside can be seen or signalled', async () => {
    const { bash, startSleeper } = openSandboxAs(user)
    const sleeper = startSleeper()
    const { stdout } = await bash(
      `kill -0 ${sleeper.pid} 2>/dev/null && echo signalled; kill ${sleeper.pid} 2>/dev/null; ls -d /proc/[0-9]* | wc -l; echo $PPID`,
    )
    const [seen, parent] = stdout.trim().split('\n')
    expect(Number(seen)).toBeLessThan(8)
    expect(parent).toBe('1')
    expect(sleeper.isAlive()).toBe(true)
  })

  test('a child in a session of its own does not outlive the command', async () => {
    const { bash } = openSandboxAs(user)
    const mark = uniqueNumber()
    const { stdout } = await bash(
      `setsid nohup sleep ${mark} >/dev/null 2>&1 & disown; pgrep -f "sleep ${mark}" | head -1`,
    )
    expect(stdout).not.toBe('')
    expect(findProcesses(`sleep ${mark}`)).toEqual([])
  })

  test('a fork bomb is killed, and the machine keeps working', async () => {
    const { bash } = openSandboxAs(user)
    // Bounded, so that a sandbox that fails this harms nobody.
    const bomb = 'bomb() { [ $1 -gt 0 ] && { bomb $(($1-1)) & bomb $(($1-1)) & }; sleep 15; }; bomb 9'
    const { ended, stderr } = await bash(bomb, { limits: { processes: 100, seconds: 10 } })
    expect(ended === 'processes' || stderr.includes('Resource temporarily unavailable')).toBe(true)
    expect((await bash('echo on')).stdout).toBe('on\n')
  })

  test('no more processes than the limit are alive at once', async () => {
    const { python } = openSandboxAs(user)
    const { stdout } = await python(
      `
import os, time
count = 0
try:
    while count < 200:
        if os.fork() == 0: time.sleep(30); os._exit(0)
        count += 1
except OSError: pass
print(count, flush=True)
`,
      { limits: { processes: 40, seconds: 20 } },
    )
    expect(Number(stdout)).toBeGreaterThan(30)
    expect(Number(stdout)).toBeLessThanOrEqual(40)
  })

  test('the memory of all processes together is limited: four, each just under it', async () => {
    const { python } = openSandboxAs(user)
    const { ended } = await python(
      `
import os, time
for _ in range(4):
    if os.fork() == 0:
        block = bytearray(180 << 20)
        for at in range(0, len(block), 4096): block[at] = 1
        time.sleep(20); os._exit(0)
for _ in range(4): os.wait()
`,
      { limits: { memory: 256 * MEGABYTE, seconds: 25 } },
    )
    expect(ended).toBe('memory')
  })

  test('one process past the memory limit is ended', async () => {
    const { python } = openSandboxAs(user)
    const { ended } = await python("block = b'x' * (1 << 30); import time; time.sleep(20)", {
      limits: { memory: 200 * MEGABYTE, seconds: 25 },
    })
    expect(ended).toBe('memory')
  })

  test('a file past the size limit is refused, and temporary files are bounded', async () => {
    const { bash, workspace } = openSandboxAs(user)
    const { ended, exitCode } = await bash('dd if=/dev/zero of=big bs=1M count=50 2>/dev/null', {
      limits: { fileSize: 5 * MEGABYTE },
    })
    expect({ ended, exitCode }).toEqual({ ended: 'disk', exitCode: 153 })
    expect(existsSync(join(workspace, 'big')) ? readFileSync(join(workspace, 'big')).length : 0).toBeLessThanOrEqual(
      5 * MEGABYTE,
    )
    const temporary = await bash(
      'for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=/tmp/f$i bs=1M count=100 2>&1 | grep -o "No space.*"; done | head -1; df --output=size -BM /tmp /dev/shm | tail -2',
    )
    expect(temporary.stdout).toMatch(/^No space left on device\n\s*512M\n\s*256M\n$/)
  })

  test('processor time is limited', async () => {
    const { bash } = openSandboxAs(user)
    expect((await bash('exec bash -c "while :; do :; done"', { limits: { cpuSeconds: 1, seconds: 25 } })).ended).toBe(
      'cpu',
    )
  })

  test('an output flood ends it', async () => {
    const { bash } = openSandboxAs(user)
    const { ended, stdout } = await bash('yes', { limits: { output: MEGABYTE } })
    expect({ ended, length: stdout.length }).toEqual({ ended: 'output', length: MEGABYTE })
  })

  test('kill -9 of the caller leaves no process behind', async () => {
    const { bash, pid } = openSandboxAs(user)
    const mark = uniqueNumber()
    void bash(`setsid sleep ${mark} & sleep ${mark}`).catch(() => undefined)
    await eventually(() => findProcesses(`sleep ${mark}`).length >= 2)
    process.kill(pid, 'SIGKILL')
    await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
  })

  test('a hundred at once: all end, their limits hold, and none is left', async () => {
    const { runTogether } = openSandboxAs(user)
    const mark = uniqueNumber()
    const orders = Array.from({ length: 100 }, (_, index) => ({
      argv: ['bash', '-c', index % 2 ? `echo ${index}; sleep 0.1` : `setsid sleep ${mark} & yes`],
      limits: { output: 50_000, seconds: 60 },
    }))
    const reports = await runTogether(orders)
    for (const [index, { ended, stdout }] of reports.entries())
      expect({ ended, stdout: stdout.slice(0, 3).trim() }).toEqual(
        index % 2 ? { ended: 'exit', stdout: `${index}` } : { ended: 'output', stdout: 'y\ny' },
      )
    expect(findProcesses(`sleep ${mark}`)).toEqual([])
  }, 90_000)
})

function splitLast(line: string): [string, string] {
  const at = line.search(/ (worked|Operation|Function|Invalid|Bad|No|Permission)/)
  return [line.slice(0, at), line.slice(at + 1)]
}
