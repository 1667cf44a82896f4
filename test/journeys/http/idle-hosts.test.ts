import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ToolSource } from '../../../src/core/ports/tool-source.ts'
import { startTestServer } from '../../support/http/test-server.ts'
import { eventually } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** How long an unused host stays open, and a little more. */
const A_WHILE = 61_000

// Timers run on their own as usual; a test can let a minute pass at once.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true }),
)
afterEach(() => void vi.useRealTimers())

/** A source of tools that knows how many hosts are open, since each listens to it as long as it is. */
function countHosts(): { readonly source: ToolSource; open(): number } {
  let open = 0
  return {
    open: () => open,
    source: {
      id: 'counter',
      origin: 'code',
      load: async () => ({ tools: [], skipped: [] }),
      onChange() {
        open++
        return () => {
          open--
        }
      },
    },
  }
}

test('hosts of visited workspaces are closed when nobody uses them; that of the server stays', async () => {
  const hosts = countHosts()
  const { client } = await startTestServer({ sources: [hosts.source] })
  await client.listTools()
  const visited = Array.from({ length: 5 }, () => temporaryFolder())
  for (const workspace of visited) await client.listTools({ workspace })
  expect(hosts.open()).toBe(6)
  await vi.advanceTimersByTimeAsync(A_WHILE)
  await eventually(() => hosts.open() === 1)
  // A workspace that is visited again is opened again.
  await client.listTools({ workspace: visited[0] ?? '' })
  expect(hosts.open()).toBe(2)
})

test('a host stays open while a call waits in it, and is closed some time after the answer', async () => {
  const hosts = countHosts()
  const { client } = await startTestServer({ sources: [hosts.source] })
  const workspace = temporaryFolder()
  writeFileSync(join(workspace, 'plan.md'), 'old\n')
  const asked = await client.callTool({
    name: 'write_file',
    arguments: { path: 'plan.md', content: 'new\n' },
    workspace,
  })
  const approval = 'approval' in asked ? asked.approval : undefined
  await vi.advanceTimersByTimeAsync(3 * A_WHILE)
  expect(hosts.open()).toBe(1)
  expect(await client.answerApproval({ id: approval?.id ?? '', approved: true })).toEqual({ runs: 'asker' })
  await eventually(async () => (await client.listCalls({ tool: 'write_file', outcome: 'ok' })).calls.length === 1)
  await vi.advanceTimersByTimeAsync(3 * A_WHILE)
  await eventually(() => hosts.open() === 0)
})

test('sessions of other workspaces leave no host open, whatever was done with them', async () => {
  const hosts = countHosts()
  const { client } = await startTestServer({ sources: [hosts.source] })
  const workspace = temporaryFolder()
  const isIdle = async (id: string) => (await client.getSession({ id })).session.state === 'idle'
  const { session, event } = await client.createSession({ message: 'list files', model: 'demo', workspace })
  const id = session.session
  await eventually(() => isIdle(id))
  await client.sendMessage({ id, message: 'list files' })
  await eventually(() => isIdle(id))
  await client.changeSession({ id, title: 'Changed' })
  await client.stopSession({ id })
  await client.callTool({ name: 'add_numbers', arguments: { a: 1, b: 2 }, session: id })
  await client.checkTool({ name: 'add_numbers', arguments: { a: 1, b: 2 }, session: id })
  await client.forkSession({ id, event })
  await client.rewindSession({ id, event, dryRun: true })
  await client.undo({ workspace, dryRun: true })
  expect(hosts.open()).toBe(1)
  await vi.advanceTimersByTimeAsync(3 * A_WHILE)
  await eventually(() => hosts.open() === 0)
  // The session goes on in a new host.
  await client.sendMessage({ id, message: 'list files' })
  await eventually(() => isIdle(id))
  expect(hosts.open()).toBe(1)
})
