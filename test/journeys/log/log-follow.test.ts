import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEventMask } from '../../../src/core/secrets/mask-event.ts'
import { openSqliteStorage } from '../../../src/store/sqlite/open-storage.ts'
import { type BuiltProgram, buildProgram, haft } from '../../support/built-program.ts'
import { openTerminal } from '../../support/terminal.ts'
import { startWaiting } from '../../support/waiting-call.ts'

const NOTE = { path: 'a.txt', text: 'hello' }

/** A `haft log -f` under way, and what it has printed. */
interface Follower {
  text(): string
  waitFor(what: RegExp): Promise<string>
  stop(): Promise<void>
}

async function follow(program: BuiltProgram, ...args: string[]): Promise<Follower> {
  await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
  const child = spawn(process.execPath, [program.main, 'log', '-f', ...args], {
    cwd: program.workspace,
    env: { PATH: process.env.PATH, HOME: join(program.workspace, '../person'), HAFT_HOME: program.home, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  return {
    text: () => text,
    async waitFor(what) {
      await expect.poll(() => text, { timeout: 20_000, interval: 20 }).toMatch(what)
      return text
    },
    async stop() {
      child.kill('SIGINT')
      await once(child, 'close')
    },
  }
}

/** Makes calls until the follower shows one: from then on it misses nothing. */
async function whenFollowing(program: BuiltProgram, follower: Follower): Promise<void> {
  while (!follower.text().includes('add_numbers')) await haft(program, ['call', 'add_numbers', '{"a":1,"b":2}'])
}

test('haft log -f says that an approval waits, why and how to answer it, and then the answer', async () => {
  const program = buildProgram()
  const follower = await follow(program)
  await whenFollowing(program, follower)
  const waiting = await startWaiting(program, 'write_note', NOTE)
  const asked = await follower.waitFor(/write_note waits for approval/)
  expect(asked).toMatch(/write_note waits for approval: it changes files \(effect write\)/)
  expect(asked).toContain('writes a.txt')
  expect(asked).toContain(`haft approvals ${waiting.id} yes`)
  await haft(program, ['approvals', waiting.id, 'no', '--reason', 'not now'])
  await waiting.ended
  const ended = await follower.waitFor(/write_note +DENIED/)
  expect(ended).toMatch(/write_note answered no \(haft approvals\): not now\n[\s\S]*DENIED/)
  await follower.stop()
})

test('haft log -f says at its start what waits already', async () => {
  const program = buildProgram()
  const waiting = await startWaiting(program, 'write_note', NOTE)
  const follower = await follow(program)
  await follower.waitFor(new RegExp(`haft approvals ${waiting.id} yes`))
  await haft(program, ['approvals', waiting.id, 'yes'])
  await follower.waitFor(/write_note answered yes \(haft approvals\)/)
  await follower.stop()
  expect(follower.text().split(`haft approvals ${waiting.id} yes`)).toHaveLength(2)
})

test('haft log -f does not say that a call waits where --yes answered or nobody was asked', async () => {
  const program = buildProgram()
  const follower = await follow(program)
  await whenFollowing(program, follower)
  await haft(program, ['call', 'write_note', JSON.stringify(NOTE), '--yes'])
  await haft(program, ['call', 'write_note', JSON.stringify(NOTE)])
  const text = await follower.waitFor(/write_note +ok[\s\S]*write_note +DENIED/)
  expect(text).not.toMatch(/waits for approval|answered/)
  await follower.stop()
})

test('haft log -f of one call or session, by the start of its id, follows that alone', async () => {
  const program = buildProgram()
  const mine = await startWaiting(program, 'write_note', NOTE)
  const other = await startWaiting(program, 'write_note', { ...NOTE, path: 'b.txt' })
  const follower = await follow(program, mine.open.session.slice(0, 8))
  await follower.waitFor(new RegExp(mine.id))
  for (const { id, ended } of [other, mine]) {
    await haft(program, ['approvals', id, 'yes'])
    await ended
  }
  await follower.waitFor(/write_note +ok/)
  expect(follower.text()).not.toContain(other.id)
  await follower.stop()
})

test.for([40, 80, 160])('in %i columns what waits fits the terminal', async (columns) => {
  const program = buildProgram()
  const waiting = await startWaiting(program, 'write_note', NOTE)
  const terminal = openTerminal([process.execPath, program.main, 'log', '-f'], {
    cwd: program.workspace,
    env: { HAFT_HOME: program.home },
    columns,
  })
  const screen = await terminal.waitFor(/haft approvals/)
  expect(screen.split('\n').filter((line) => line.trimEnd().length > columns)).toEqual([])
  await waiting.kill()
})

test('haft log -f says what was read and repaired in a reply of a model, unless only some calls are asked for', async () => {
  const program = buildProgram()
  const [all, some] = [await follow(program), await follow(program, '--tool', 'add_numbers')]
  await Promise.all([whenFollowing(program, all), whenFollowing(program, some)])
  const storage = openSqliteStorage({ path: join(program.home, 'log.db'), mask: createEventMask() })
  const repairs = ['Read a call printed as text (Mistral): read_file.']
  storage.log.append({ type: 'model-call', session: 's_1', step: 1, usage: {}, ms: 5, repairs })
  await storage.log.flush()
  await storage.close()
  await all.waitFor(/\d\d:\d\d:\d\d {2}reply Read a call printed as text \(Mistral\): read_file\./)
  await haft(program, ['call', 'add_numbers', '{"a":20,"b":22}'])
  await some.waitFor(/"a":20/)
  expect(some.text()).not.toContain('Mistral')
  await Promise.all([all.stop(), some.stop()])
})
