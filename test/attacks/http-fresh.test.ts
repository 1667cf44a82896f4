import { connect } from 'node:net'
import { expect, test } from 'vitest'
import fresh from '../data/http-fresh.json' with { type: 'json' }
import { type RawAnswer, sendRaw } from '../support/http/raw-request.ts'
import { askToWrite, startTestServer, type TestServer } from '../support/http/test-server.ts'

interface Case {
  readonly id: string
  readonly category: string
  readonly why: string
  /** The lines of the head. Where there are none, the body is all that is sent. */
  readonly lines: readonly string[]
  readonly body?: string
  /** The right answers; 0 for a connection that is closed without one. */
  readonly statuses: readonly number[]
  /** What the header Allow must be. */
  readonly allow?: string
  /** True where the answer must not have a body. */
  readonly empty?: boolean
  /** How many answers there must be in all. */
  readonly answers?: number
  /** True where each character of the body is one byte. */
  readonly latin1?: boolean
}

const cases: readonly Case[] = fresh.cases
const categories = [...new Set(cases.map(({ category }) => category))]

test.for(categories)(
  'requests of the class %s get the answer that was written down for them',
  {
    timeout: 120_000,
  },
  async (category) => {
    const server = await startTestServer()
    const { approval } = await askToWrite(server)
    const wrong: string[] = []
    for (const one of cases.filter((given) => given.category === category)) {
      const answer = await send(one, server)
      const problem = findProblem(one, answer, server)
      if (problem) wrong.push(`${one.id} ${one.why}: ${problem}`)
    }
    expect(wrong).toEqual([])
    expect(server.faults).toEqual([])
    // Whatever was sent, nothing was approved and the server still answers.
    expect((await server.client.listApprovals()).approvals.map(({ id }) => id)).toEqual([approval.id])
  },
)

function findProblem(
  { statuses, allow, empty, answers }: Case,
  { status, headers, body, all }: RawAnswer & { readonly all: string },
  { token, folder }: TestServer,
): string | undefined {
  if (!statuses.includes(status)) return `expected ${statuses.join(' or ')}, got ${status} ${body.slice(0, 150)}`
  if (allow !== undefined && headers.allow !== allow) return `Allow is ${headers.allow}`
  if (empty && body !== '') return 'there is a body'
  const counted = all.split(/HTTP\/1\.1 [2-5]\d\d [A-Z]/).length - 1
  if (answers !== undefined && status !== 0 && counted !== answers) return `${counted} answers`
  if ('access-control-allow-origin' in headers) return 'it allows another origin'
  if (status >= 400 && /node_modules|\.[jt]s:\d|at \w+ \(/.test(body)) return `it shows a trace: ${body}`
  if (all.includes(token) || all.includes(folder)) return 'it shows a secret'
  return undefined
}

async function send(one: Case, { port, token }: TestServer): Promise<RawAnswer & { readonly all: string }> {
  const values: Readonly<Record<string, string>> = { HOST: `127.0.0.1:${port}`, PORT: String(port), TOKEN: token }
  const fill = (text: string) => text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const head = one.lines.length > 0 ? `${one.lines.map(fill).join('\r\n')}\r\n\r\n` : ''
  const body = Buffer.from(fill(one.body ?? ''), one.latin1 ? 'latin1' : 'utf8')
  const bytes = Buffer.concat([Buffer.from(head), body])
  if (one.answers !== undefined) return sendAndEnd(port, bytes)
  const answer = await sendRaw(port, bytes)
  return { ...answer, all: `${JSON.stringify(answer.headers)}${answer.body}` }
}

/** Sends bytes, says that no more will come, and reads all that comes back until the server closes the connection. */
function sendAndEnd(port: number, bytes: Buffer): Promise<RawAnswer & { readonly all: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let all = ''
    const finish = () => {
      const [head = '', body = ''] = all.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')))
      resolve({ status: Number(first.split(' ')[1] ?? 0), headers, body, all })
    }
    socket.setEncoding('latin1').on('data', (piece: string) => {
      all += piece
    })
    socket.on('error', () => undefined).on('close', finish)
    socket.end(bytes)
  })
}
