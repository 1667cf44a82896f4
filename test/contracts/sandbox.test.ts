import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programs } from '../../src/app/programs/programs.ts'
import { type RunOrder, type RunOwner, type Sandbox, SCRIPT_PLACE } from '../../src/core/ports/sandbox.ts'
import { chooseSandbox } from '../../src/sandbox/choose.ts'
import { temporaryFolder } from '../support/example-host.ts'
import { eventually, findProcesses } from '../support/processes.ts'

const ADAPTERS = [
  ['bare', true],
  ['bubblewrap', false],
] as const

interface Opened {
  readonly sandbox: Sandbox
  readonly workspace: string
  readonly run: ReturnType<typeof runner>
}

async function open(off: boolean, env: Readonly<Record<string, string | undefined>> = process.env): Promise<Opened> {
  const workspace = temporaryFolder()
  const sandbox = await chooseSandbox({
    workspace,
    off,
    env,
    programs,
    home: temporaryFolder(),
    replaced: () => undefined,
  })
  onTestFinished(() => sandbox.close())
  return { sandbox, workspace, run: runner(sandbox) }
}

function runner(sandbox: Sandbox) {
  return (order: RunOrder, signal: AbortSignal = new AbortController().signal) => {
    const owner: RunOwner = { call: 'c_1', signal }
    return sandbox.run(order, owner)
  }
}

const bash = (command: string): RunOrder => ({ argv: ['bash', '-c', command] })

describe.for(ADAPTERS)('the sandbox port, %s', ([, off]) => {
  test('S3.3 stdout and stderr apart, exit code, duration', async () => {
    const { run } = await open(off)
    const report = await run(bash('echo out; echo err >&2; exit 7'))
    expect(report).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 7, ended: 'exit' })
    expect(report.duration).toBeGreaterThan(0)
  })

  test('output arrives piece by piece, in order, without split characters', async () => {
    const { run } = await open(off)
    const heard: string[] = []
    await run({
      ...bash("printf 'one\\303'; sleep 0.05; printf '\\244 '; sleep 0.05; echo two >&2; sleep 0.05; echo three"),
      output: (stream, text) => heard.push(`${stream}:${text}`),
    })
    expect(heard.length).toBeGreaterThan(2)
    expect(heard.join('')).toMatch(/^stdout:one(stdout:)?ä (stderr:)two\nstdout:three\n$/)
  })

  const shutIn = off ? undefined : test
  const unshut = off ? test : undefined
  unshut?.('a `python` of the person’s own stays the one that runs', async () => {
    const programs = temporaryFolder()
    writeFileSync(join(programs, 'python'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    const { run } = await open(off, { PATH: `/usr/bin:/bin:${programs}` })
    expect(await run(bash('python x.py'))).toMatchObject({ stdout: 'mine\n', exitCode: 0 })
  })

  shutIn?.('scripts can write to /dev/stdout and /dev/stderr', async () => {
    const { run } = await open(off)
    const report = await run(bash('echo out > /dev/stdout; echo err > /dev/stderr; echo more | tee /dev/stderr'))
    expect(report).toMatchObject({ stdout: 'out\nmore\n', stderr: 'err\nmore\n', exitCode: 0 })
  })

  test('a signal that ends the program gives 128 and its number', async () => {
    const { run } = await open(off)
    expect(await run(bash('kill -TERM $$'))).toMatchObject({ exitCode: 143, ended: 'exit' })
  })

  test('standard input is closed', async () => {
    const { run } = await open(off)
    expect(await run(bash('cat; read x; echo $?'))).toMatchObject({ stdout: '1\n', exitCode: 0 })
  })

  test('env is added, tokens of the outside are not there in the sandbox', async () => {
    const { run } = await open(off)
    expect(await run({ ...bash('echo $GREETING'), env: { GREETING: "it's $HOME" } })).toMatchObject({
      stdout: "it's $HOME\n",
    })
  })

  test('cwd is a folder of the workspace and nothing else', async () => {
    const { run, workspace } = await open(off)
    mkdirSync(join(workspace, 'a b'))
    symlinkSync('/usr', join(workspace, 'out'))
    expect(await run({ ...bash('pwd'), cwd: 'a b' })).toMatchObject({ stdout: `${workspace}/a b\n` })
    await expect(run({ ...bash('pwd'), cwd: 'missing' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(run({ ...bash('pwd'), cwd: 'out' })).rejects.toMatchObject({ code: 'INVALID_PATH' })
  })

  test('a script of any length is read as a file, and none is left behind', async () => {
    const { run } = await open(off)
    const script = `echo ${"'"}${'ä'.repeat(300_000)}${"'"} | wc -c; echo "$0" >&2`
    const report = await run({ argv: ['bash', SCRIPT_PLACE], script })
    expect(report).toMatchObject({ stdout: '600001\n', exitCode: 0 })
    expect(existsSync(report.stderr.trim())).toBe(false)
  })

  test('what it writes is there when it ends', async () => {
    const { run, workspace } = await open(off)
    writeFileSync(join(workspace, 'a.txt'), 'one\n')
    await run(bash('echo two >> a.txt; mkdir -p d/e; echo x > d/e/f; exit 3'))
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(readFileSync(join(workspace, 'd/e/f'), 'utf8')).toBe('x\n')
  })

  test('cancelling ends it and all its children, those that left the group too', async () => {
    const { run } = await open(off)
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    const stop = new AbortController()
    const running = run({ ...bash(`setsid sleep ${mark} & (sleep ${mark} &) ; sleep ${mark}`) }, stop.signal)
    await eventually(() => findProcesses(`sleep ${mark}`).length >= 3)
    stop.abort()
    expect(await running).toMatchObject({ ended: 'cancelled' })
    await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
  })

  test('a background child does not outlive the command, nor hold it up', async () => {
    const { run } = await open(off)
    const mark = `7${Math.floor(Math.random() * 1e9)}`
    const report = await run(bash(`setsid sleep ${mark} & echo done`))
    expect(report).toMatchObject({ stdout: 'done\n', ended: 'exit', exitCode: 0 })
    await eventually(() => findProcesses(`sleep ${mark}`).length === 0)
  })

  test('the time limit ends it', async () => {
    const { run } = await open(off)
    expect(await run({ ...bash('echo before; sleep 60'), limits: { seconds: 0.5 } })).toMatchObject({
      ended: 'timeout',
      stdout: 'before\n',
    })
  })

  test('an output flood is ended at the limit', async () => {
    const { run } = await open(off)
    const report = await run({ ...bash('yes'), limits: { output: 100_000 } })
    expect(report.ended).toBe('output')
    expect(report.stdout.length).toBe(100_000)
  })

  test('`python` starts Python where PATH has `python3` alone', async () => {
    const programs = temporaryFolder()
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
    symlinkSync(python, join(programs, 'python3'))
    for (const name of ['bash', 'env']) symlinkSync(`/usr/bin/${name}`, join(programs, name))
    const { run } = await open(off, { HOME: temporaryFolder(), PATH: programs })
    for (const command of ['python -c "print(6 * 7)"', 'python3 -c "print(6 * 7)"', 'env python -c "print(6 * 7)"'])
      expect(await run(bash(command)), command).toMatchObject({ stdout: '42\n', stderr: '', exitCode: 0 })
  })

  test('closing it twice closes nothing of anybody else', async () => {
    const { sandbox, run } = await open(off)
    await run(bash('true'))
    await sandbox.close()
    const fds = Array.from({ length: 64 }, () => openSync('/dev/null', 'r'))
    onTestFinished(() => fds.forEach((fd) => void closeSync(fd)))
    await sandbox.close()
    expect(fds.filter((fd) => fstatSync(fd).isCharacterDevice())).toHaveLength(64)
  })

  test('a program that is not there says so', async () => {
    const { run } = await open(off)
    const report = await run({ argv: ['no-such-program-here'] }).catch((error: unknown) => error)
    expect(JSON.stringify(report instanceof Error ? report.message : report)).toContain('no-such-program-here')
  })
})
