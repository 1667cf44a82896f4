import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { hostileServer } from '../../../test/support/mcp/open-mcp-home.ts'
import { createMemoryFile } from '../../core/mcp/kept-file.ts'
import type { LocalMcpServer } from '../../core/mcp/mcp-settings.ts'
import { openAcceptedTools } from './accepted-tools.ts'
import type { Clock } from './connection/restarts.ts'
import { McpServer } from './mcp-server.ts'

/** A clock that stands still: the test says when a wait is over. */
class ManualClock implements Clock {
  /** How long each wait would have taken, in milliseconds. */
  readonly waits: number[] = []
  time = 0
  #waiting: (() => void) | undefined
  #limit: (() => void) | undefined

  now(): number {
    return this.time
  }

  after(milliseconds: number, work: () => void): () => void {
    // The limit of each start is no wait for the next one.
    if (milliseconds === 30_000) {
      this.#limit = work
      return () => undefined
    }
    this.waits.push(milliseconds)
    this.#waiting = work
    return () => {
      this.#waiting = undefined
    }
  }

  /** Ends the wait. */
  pass(): void {
    const work = this.#waiting
    this.#waiting = undefined
    work?.()
  }

  /** Ends the time that a start may take. */
  passLimit(): void {
    this.#limit?.()
  }
}

/** A server with a clock of the test. */
function openServer(settings: LocalMcpServer): { readonly server: McpServer; readonly clock: ManualClock } {
  const clock = new ManualClock()
  const server = new McpServer({
    ...{ name: 'bad', settings, clock, env: {}, folder: tmpdir() },
    accepted: openAcceptedTools(createMemoryFile()),
    expand: (settings) => settings,
    mask: (text) => text.replace('hunter2', '[masked]'),
    onChange: () => undefined,
  })
  onTestFinished(() => server.close())
  return { server, clock }
}

const stateOf = async (server: McpServer) => (await server.status()).state

test('a server that never starts is tried six times, each wait twice as long, and then counts as failed', async () => {
  const { server, clock } = openServer(hostileServer('dead'))
  await expect(server.ready()).rejects.toThrow(
    'The MCP server bad cannot be used: it ended with exit code 3.\nIt wrote: hostile server started',
  )
  const waits = [1_000, 2_000, 4_000, 8_000, 16_000]
  for (const [at] of waits.entries()) {
    await expect.poll(() => clock.waits).toEqual(waits.slice(0, at + 1))
    expect(await stateOf(server)).toBe('waiting')
    clock.pass()
  }
  await expect.poll(() => stateOf(server)).toBe('failed')
  expect(clock.waits).toEqual(waits)
  expect(server.load()).toEqual({ tools: [], skipped: [{ source: 'bad', reason: 'it ended with exit code 3' }] })
  // The next who needs it tries again, and the waits begin anew.
  await expect(server.ready()).rejects.toThrow('it ended with exit code 3')
  expect(clock.waits.slice(waits.length)).toEqual([1_000])
  expect(await stateOf(server)).toBe('waiting')
})

test('a server that is woken while it waits for its restart is not started earlier', async () => {
  const { server, clock } = openServer(hostileServer('dead'))
  await expect(server.ready()).rejects.toThrow()
  server.wake()
  expect(await stateOf(server)).toBe('waiting')
  expect(clock.waits).toEqual([1_000])
})

/** Ends the program of a server, as a crash would. */
async function crash(server: McpServer): Promise<void> {
  const die = server.load().tools.find(({ tool }) => tool.name === 'bad:die')
  const context = { signal: new AbortController().signal, session: 's', delta: () => undefined }
  await expect(die?.tool.execute?.({}, context as never)).rejects.toThrow('it ended with exit code 7')
  await expect.poll(() => stateOf(server)).toBe('waiting')
}

test('a crash after a minute of work counts as the first; one before that waits longer', async () => {
  const { server, clock } = openServer(hostileServer())
  await server.ready()
  for (const _ of [1, 2]) {
    await crash(server)
    await server.ready()
  }
  expect(clock.waits).toEqual([1_000, 2_000])
  clock.time += 60_001
  await crash(server)
  expect(clock.waits).toEqual([1_000, 2_000, 1_000])
})

test('a program that does not exist is not tried again', async () => {
  const { server, clock } = openServer({ command: 'no-such-program' })
  await expect(server.ready()).rejects.toThrow('the program "no-such-program" was not found')
  expect([clock.waits, await stateOf(server)]).toEqual([[], 'failed'])
})

test('a server that does not answer in time is described by what it wrote, and by what to check', async () => {
  const { server, clock } = openServer({
    command: 'sh',
    args: ['-c', 'echo "no route, key hunter2" >&2; exec sleep 600'],
  })
  const ready = server.ready()
  await expect.poll(async () => (await server.status()).stderr).toBe('no route, key [masked]')
  clock.passLimit()
  await expect(ready).rejects.toThrow(
    'The MCP server bad cannot be used: it did not answer within 30 s.\nIt wrote: no route, key [masked]\nRun it yourself to see what is wrong, or to download it once: sh -c ',
  )
})
