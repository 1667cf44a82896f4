import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import attacks from '../data/http.json' with { type: 'json' }
import more from '../data/http-more.json' with { type: 'json' }
import { type RawAnswer, request, sendRaw } from '../support/http/raw-request.ts'
import { askToWrite, startTestServer, type TestServer } from '../support/http/test-server.ts'
import type { AtEnd } from '../support/temporary-folder.ts'

interface Case {
  readonly id: string
  readonly category: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly expect: string
  readonly why: string
  readonly accept: readonly string[]
  /** The statuses that are right, where not every refusal is. */
  readonly statuses?: readonly number[]
}

const cases: readonly Case[] = [...attacks.cases, ...more.cases]

/** A server, a request for approval that waits there, and one that is answered. */
interface Target {
  readonly server: TestServer
  readonly waiting: string
  readonly done: string
}

async function openTarget(atEnd?: AtEnd): Promise<Target> {
  const server = await startTestServer(atEnd && { atEnd })
  const waiting = await askToWrite(server)
  const done = await askToWrite(server, 'done.md')
  await server.client.answerApproval({ id: done.approval.id, approved: false })
  return { server, waiting: waiting.approval.id, done: done.approval.id }
}

/** One for all cases that leave it as it was, which each of them checks. */
let shared: Target
const closing: Parameters<AtEnd>[0][] = []
beforeAll(async () => {
  shared = await openTarget((close) => closing.unshift(close))
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** True for a request that a server answers more slowly each time, or that may answer the request for approval. */
function leavesTraces({ headers, category, method, accept }: Case): boolean {
  const isGuess = Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && value !== RIGHT,
  )
  return isGuess || category === 'sign-in' || (method !== 'GET' && accept.includes('ok'))
}

/** The header of whoever has the token. */
const RIGHT = 'Bearer $' + '{TOKEN}'

test.for(cases)('$id $category: $why', async (attack) => {
  const { server, waiting, done } = leavesTraces(attack) ? await openTarget() : shared
  const fill = createFill(server, { waiting, done })
  const answer = await send(attack, { server, fill })
  const outcome = answer.status >= 200 && answer.status < 300 ? 'ok' : 'reject'
  expect(attack.accept, `${answer.status} ${answer.body.slice(0, 300)}`).toContain(outcome)
  if (attack.statuses) expect(attack.statuses).toContain(answer.status)
  if (outcome === 'reject') expectRefused(answer)
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  expect(answer.body).not.toContain('root:')
  expect(answer.body).not.toContain(server.token)
  if (outcome === 'reject' || attack.method === 'GET') await expectUntouched(server, waiting)
  expect(server.faults).toEqual([])
  // Whatever was sent, the server still answers.
  expect(await server.client.health()).toMatchObject({ version: 'test' })
})

type Fill = (text: string) => string

function createFill(server: TestServer, ids: { readonly waiting: string; readonly done: string }): Fill {
  const values: Readonly<Record<string, string>> = {
    PORT: String(server.port),
    TOKEN: server.token,
    COOKIE: '',
    API_READ: '/api/tools',
    API_APPROVE: `/api/approvals/${ids.waiting}`,
    API_APPROVE_DONE: `/api/approvals/${ids.done}`,
    API_APPROVE_UNKNOWN: '/api/approvals/a_c_nothing_00001',
    WS_OR_SSE: '/api/events',
  }
  return (text) => text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

async function send(
  attack: Case,
  { server, fill }: { readonly server: TestServer; readonly fill: Fill },
): Promise<RawAnswer> {
  if (attack.category === 'bind') return sendToOtherAddress(server.port)
  const headers = Object.entries(attack.headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, fill(one)] as const),
  )
  const named = headers.some(([name]) => name.toLowerCase() === 'host')
  return request(server.port, {
    method: attack.method,
    path: fill(attack.path),
    headers: named || attack.category === 'host' ? headers : [['Host', `127.0.0.1:${server.port}`], ...headers],
    ...(attack.body !== undefined && { body: fill(attack.body) }),
  })
}

/** The server is reached by its loopback address only. */
async function sendToOtherAddress(port: number): Promise<RawAnswer> {
  const other = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')
  return sendRaw(
    port,
    `GET /api/tools HTTP/1.1\r\nHost: ${other?.address}:${port}\r\n\r\n`,
    other?.address ?? '127.0.0.2',
  )
}

/** A refusal has a status of its own and no data; it says what was wrong, without paths of this machine or a trace. */
function expectRefused({ status, body }: RawAnswer): void {
  expect(status === 0 || (status >= 400 && status < 500), String(status)).toBe(true)
  expect(body).not.toMatch(/node_modules|\.ts:\d|\.js:\d|at \w+ \(/)
  expect(body).not.toContain('"tools"')
  if (body !== '')
    expect(JSON.parse(body)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
}

async function expectUntouched({ client, workspace }: TestServer, approval: string): Promise<void> {
  const { approvals } = await client.listApprovals()
  expect(approvals.map(({ id }) => id)).toContain(approval)
  expect(readFileSync(join(workspace, 'plan.md'), 'utf8')).toBe('old\n')
}
