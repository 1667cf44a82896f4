import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { treeOf } from '../../../src/sandbox/limits/process-tree.ts'
import { endProcess, eventually, findProcesses } from '../../support/processes.ts'
import { NETWORK, openSandboxAs, USERS } from '../../support/sandbox-users.ts'

/** Waiting sandboxes: their helper names the folder of the runs it will be told of. */
const findWaiting = (home: string) => findProcesses(`${home}/runs`).filter((pid) => pid > 0)

/** True for a forwarder of a network. */
const isForwarder = (pid: number) => findProcesses('/run/haft/forwarder').includes(pid)

describe.for(USERS)('a sandbox of %s that was started ahead', (user) => {
  test('is used once, and sees the workspace as it is then', async () => {
    const { bash, workspace, home } = openSandboxAs(user)
    await bash('echo leftover > /tmp/left; echo one > file')
    await eventually(() => findWaiting(home).length > 0)
    writeFileSync(join(workspace, 'later'), 'written while it waited')
    const waiting = findWaiting(home)
    const report = await bash('cat later file; ls /tmp/left; echo two >> file')
    expect(report).toMatchObject({
      mode: 'overlay',
      stdout: 'written while it waitedone\n',
      changed: { changed: ['file'] },
    })
    expect(report.stderr).toContain('/tmp/left')
    await eventually(() => waiting.every((pid) => !findWaiting(home).includes(pid)))
    await eventually(() => findWaiting(home).length > 0)
  })

  test('after two orders with a network one waits that has a network; after one without, one without', async () => {
    const { bash, home, pid } = openSandboxAs(user)
    const waitsWithForwarder = () => treeOf(pid).some(isForwarder)
    await bash('true', { network: NETWORK })
    await eventually(() => findWaiting(home).length > 0 && !waitsWithForwarder())
    await bash('true', { network: NETWORK })
    await eventually(waitsWithForwarder)
    expect((await bash('echo $http_proxy', { network: NETWORK })).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
    await eventually(waitsWithForwarder)
    expect((await bash('echo "[$http_proxy]"')).stdout).toBe('[]\n')
    await eventually(() => findWaiting(home).length > 0 && !waitsWithForwarder())
  })

  test('two orders at once never share one', async () => {
    const { bash, runTogether, home } = openSandboxAs(user)
    await bash('true')
    await eventually(() => findWaiting(home).length > 0)
    const [one, two] = await runTogether(
      ['one', 'two'].map((name) => ({
        argv: ['bash', '-c', `echo ${name} > /tmp/mine; sleep 0.2; cat /tmp/mine; ls -d /proc/[0-9]* | wc -l`],
      })),
    )
    expect(one?.stdout).toMatch(/^one\n[1-6]\n$/)
    expect(two?.stdout).toMatch(/^two\n[1-6]\n$/)
  })

  test('none is left when its owner closes, ends by itself or is killed', async () => {
    for (const end of ['close', 'kill', 'kill', 'kill', 'kill'] as const) {
      const { bash, home, workspace, pid, finish } = openSandboxAs(user)
      await bash('true')
      await eventually(() => findWaiting(home).length > 0)
      if (end === 'close') await finish()
      else process.kill(pid, 'SIGKILL')
      await eventually(() => findProcesses(home).length + findProcesses(workspace).length === 0)
    }
  })

  test('one that died while it waited is not used', async () => {
    const { bash, home } = openSandboxAs(user)
    await bash('true')
    await eventually(() => findWaiting(home).length > 0)
    for (const pid of findWaiting(home)) endProcess(pid)
    await eventually(() => findWaiting(home).length === 0)
    expect(await bash('echo fine')).toMatchObject({ stdout: 'fine\n', exitCode: 0 })
  })
})
