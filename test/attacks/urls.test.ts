import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { whyNotPublic } from '../../src/http/addresses.ts'
import type { ApprovalRequest, Result } from '../../src/index.ts'
import attacks from '../data/urls.json' with { type: 'json' }
import more from '../data/urls-more.json' with { type: 'json' }
import { type Answers, openTestNetwork } from '../support/web/test-network.ts'
import { hostWithSettings } from '../support/web/web-host.ts'

interface Answer {
  readonly status: number
  readonly location?: string
  readonly body?: string
  readonly bytes?: number
  readonly noBodyEnd?: boolean
}

type Dns = Readonly<Record<string, readonly (string | { readonly addresses: readonly string[] })[]>>

interface Case {
  readonly id: string
  readonly category: string
  readonly url: string | { readonly $concat: readonly (string | { readonly $repeat: readonly [string, number] })[] }
  readonly allowlist: readonly string[]
  readonly dns?: Dns
  readonly server?: Readonly<Record<string, Answer>>
  readonly request?: { readonly repeat?: number; readonly headers?: Readonly<Record<string, string>> }
  readonly accept: readonly string[]
  readonly why: string
}

// The files hold members that only some cases have.
const given = attacks.cases as unknown as readonly Case[]
const own = more.cases.map((one) => ({ ...more.defaults, ...one })) as unknown as readonly Case[]
const cases = [...given, ...own]

function urlOf({ url }: Case): string {
  if (typeof url === 'string') return url
  return url.$concat.map((part) => (typeof part === 'string' ? part : part.$repeat[0].repeat(part.$repeat[1]))).join('')
}

function answersOf({ dns = {} }: Case): Answers {
  return Object.fromEntries(
    Object.entries(dns).map(([name, given]) => {
      const plain = given.filter((one) => typeof one === 'string')
      const turns = given.flatMap((one) => (typeof one === 'string' ? [] : [one.addresses]))
      return [name.toLowerCase(), turns.length > 0 ? turns : [plain]]
    }),
  )
}

/** Answers as the case says, and 200 to all else. */
function serverOf({ server = {} }: Case): RequestListener {
  return (request, response) => {
    const scheme = 'encrypted' in request.socket ? 'https' : 'http'
    const answer = server[`${scheme}://${request.headers.host}${request.url}`]
    const { status = 200, location, body, bytes = 0, noBodyEnd } = answer ?? {}
    response.writeHead(status, { 'content-type': 'text/plain', ...(location && { location }) })
    if (body === 'repeat') response.end('x'.repeat(bytes))
    else if (body === 'drip' || noBodyEnd) response.write('x')
    else response.end('fine')
  }
}

/** What became of the calls: `ask` if a person was asked, `deny` if Haft refused, `allow` if it was fetched, `failed` for any other error. */
function outcomeOf(results: readonly Result[], asked: number): string {
  if (asked > 0) return 'ask'
  const failed = results.find((result) => !result.ok)
  if (failed === undefined || failed.ok) return 'allow'
  return ['BLOCKED', 'INVALID_ARGUMENTS', 'TIMEOUT', 'TOO_LARGE'].includes(failed.code)
    ? 'deny'
    : `failed ${failed.code}`
}

test.for(cases)('$id $category: $why', async (given) => {
  const network = await openTestNetwork(answersOf(given), serverOf(given))
  const asked: ApprovalRequest[] = []
  const host = await hostWithSettings(`[web]\nallow = ${JSON.stringify(given.allowlist)}\n`, {
    network,
    approver: {
      async ask(request) {
        expect(network.lookups, 'no name is looked up before a person said yes').toEqual([])
        asked.push(request)
        return { approved: false }
      },
    },
  })
  const results: Result[] = []
  const args = { url: urlOf(given), ...(given.request?.headers && { headers: given.request.headers }), timeout: 2 }
  for (let turn = 0; turn < (given.request?.repeat ?? 1); turn++) results.push(await host.call('web_fetch', args))
  const shown = results.map((result) => result.text).join('\n')
  expect(given.accept, shown.slice(0, 500)).toContain(outcomeOf(results, asked.length))
  for (const connected of network.connected) {
    const address = connected.replace(/:\d+$/, '')
    if (!given.allowlist.includes(connected))
      expect(whyNotPublic(address), `${connected} was connected`).toBeUndefined()
  }
})

test('every case of the files is run', () => {
  expect(cases).toHaveLength(attacks.count + more.count)
})
