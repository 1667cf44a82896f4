import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'

/** Runs `haft log … --json` and reads what it says. */
async function readLog(program: BuiltProgram, ...args: string[]) {
  const ended = await haft(program, ['log', ...args, '--json'])
  expect(ended.stderr).toBe('')
  return JSON.parse(ended.stdout)
}

async function programWithCalls(): Promise<BuiltProgram> {
  const program = buildProgram()
  await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  await haft(program, ['call', 'write_note', '{"path":"a.txt","text":"hello"}', '--yes'])
  await haft(program, ['call', 'write_note', '{"path":"b.txt","text":"hello"}'])
  await haft(program, ['call', 'fail_always', '{}', '--yes'])
  return program
}

test('S0.12 haft log lists sessions and calls: when, which, arguments, decision, duration, outcome', async () => {
  const program = await programWithCalls()
  const { sessions, calls } = await readLog(program)
  expect(sessions).toHaveLength(4)
  expect(calls.map(({ tool, outcome }: { tool: string; outcome: string }) => [tool, outcome])).toEqual([
    ['fail_always', expect.any(String)],
    ['write_note', 'DENIED'],
    ['write_note', 'ok'],
    ['add_numbers', 'ok'],
  ])
  expect(calls[2]).toMatchObject({
    at: expect.any(Number),
    arguments: '{"path":"a.txt","text":"hello"}',
    decision: 'ask',
    rule: expect.any(String),
    duration: expect.any(Number),
    ran: true,
  })
  const people = await haft(program, ['log'])
  expect(people.stdout).toMatch(
    /\d\d:\d\d:\d\d {2}write_note +ok +[\d.]+ m?s {2}ask +\(.+\) +by --yes +c_\w+ {2}\{"path":"a.txt","text":"hello"\}$/m,
  )
  expect(people.stdout).toContain('DENIED')
})

test('S4.8 haft log finds calls by tool, decision, outcome, session and time', async () => {
  const program = await programWithCalls()
  const tools = async (...args: string[]) =>
    (await readLog(program, ...args)).calls.map(({ tool }: { tool: string }) => tool)
  expect(await tools('--tool', 'write_note')).toEqual(['write_note', 'write_note'])
  expect(await tools('--outcome', 'DENIED')).toEqual(['write_note'])
  expect(await tools('--decision', 'allow')).toContain('add_numbers')
  expect(await tools('--since', '1h', '--limit', '1')).toEqual(['fail_always'])
  expect(await tools('--since', '2999-01-01')).toEqual([])
  const { calls } = await readLog(program, '--tool', 'add_numbers')
  expect(await tools('--session', calls[0].session)).toEqual(['add_numbers'])
  expect(await tools(calls[0].session)).toEqual(['add_numbers'])
  expect(await haft(program, ['log', '--since', 'soon'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('30m, 2h, 7d'),
  })
  expect(await haft(program, ['log', 'c_nothing'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('c_nothing'),
  })
})

test('S4.8 haft log CALL shows all events of a call', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'write_note', '{"path":"a.txt","text":"hello",}', '--yes'])
  const [call] = (await readLog(program)).calls
  const { stdout } = await haft(program, ['log', call.call])
  for (const part of ['called', 'repaired', 'judged ask', 'run, allowed by --yes', 'ended ok'])
    expect(stdout).toContain(part)
  const { events } = await readLog(program, call.call)
  expect(events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['call-start', 'call-repaired', 'call-judged', 'call-run', 'call-end']),
  )
})

test('S0.12 secrets in arguments are masked in the log, not in what runs', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  writeFileSync(join(program.home, 'settings.toml'), '[log]\nsecrets = ["ACME-[0-9]+"]\n')
  const text = 'password=hunter2hunter2 and ACME-4711'
  const ran = await haft(program, ['call', 'run_echo', JSON.stringify({ words: text }), '--yes', '--json'])
  expect(ran.stdout).toContain('hunter2hunter2')
  const [call] = (await readLog(program)).calls
  const { stdout } = await haft(program, ['log', call.call, '--json'])
  expect(stdout).not.toMatch(/hunter2|ACME-4711/)
  expect(stdout).toMatch(/\[masked [0-9a-f]{4}\]/)
})

test('haft log --follow shows what other processes do', async () => {
  const program = buildProgram()
  await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  const child = spawn(process.execPath, [program.main, 'log', '--follow', '--json', '--tool', 'write_note'], {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), HAFT_HOME: program.home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = lines.next()
  let seen = false
  void first.then(() => {
    seen = true
  })
  for (let i = 0; !seen; i++) {
    await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
    await haft(program, ['call', 'write_note', `{"path":"n${i}","text":"hello"}`, '--yes'])
  }
  expect(JSON.parse((await first).value ?? '')).toMatchObject({ type: 'call-start', name: 'write_note' })
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([0, null])
})

test('wrong settings stop the start, with file, line, column and key', async () => {
  const program = buildProgram()
  mkdirSync(program.home)
  writeFileSync(join(program.home, 'settings.toml'), '\ndurabel = "machine"\n')
  const ended = await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(
    `${join(program.home, 'settings.toml')}:2:1: durabel: unknown key. Did you mean durable?`,
  )
})

test('without a log, calls that change things are refused before their effect, reads still work, and both are reported', async () => {
  const program = buildProgram()
  writeFileSync(program.home, 'a file in the way')
  const write = await haft(program, ['call', 'write_note', '{"path":"a.txt","text":"hello"}', '--yes'])
  expect(write.code).toBe(1)
  expect(write.stderr).toMatch(/UNAVAILABLE .*there is a file in place of its folder/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  const read = await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  expect(read).toMatchObject({ code: 0, stdout: '{"sum":3}\n' })
  expect(read.stderr).toMatch(/^log The log .* cannot be written/)
})

test('with a full disk, the same', async ({ skip }) => {
  const disk = smallDisk(600)
  if (!disk) return skip(NO_SMALL_DISK)
  const program = buildProgram()
  const env = { HAFT_HOME: join(disk.folder, 'home') }
  expect((await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'], { env })).stderr).toBe('')
  fill(disk.folder)
  const write = await haft(program, ['call', 'write_note', '{"path":"a.txt","text":"hello"}', '--yes'], { env })
  expect(write.stderr).toMatch(/UNAVAILABLE .*disk is full/)
  expect(existsSync(join(program.workspace, 'a.txt'))).toBe(false)
  expect(await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'], { env })).toMatchObject({ code: 0 })
})

function fill(folder: string): void {
  for (const size of [100_000, 1_000])
    for (let i = 0; ; i++) {
      try {
        writeFileSync(join(folder, `ballast-${size}-${i}`), Buffer.alloc(size))
      } catch {
        break
      }
    }
}
