import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { ApprovalRequest, Event, Host, Session } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { hostWithSettings } from '../../support/web/web-host.ts'

/** A development server: serves a page, and prints when it listens. */
const SERVER = `
const { createServer } = require('node:http')
createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<title>dev server</title><h1>hello from ' + request.url + '</h1>')
}).listen(Number(process.argv[2]), process.env.LISTEN || '127.0.0.1', () => console.log('listening'))
`

interface Opened {
  readonly host: Host
  readonly session: Session
  readonly asked: ApprovalRequest[]
  /** Resolves to the first event that fits, from the start of the test on. */
  until<Type extends Event['type']>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>
}

async function open(): Promise<Opened> {
  const asked: ApprovalRequest[] = []
  const host = await hostWithSettings('')
  writeFileSync(join(host.workspace, 'server.js'), SERVER)
  const approver = {
    async ask(request: ApprovalRequest) {
      asked.push(request)
      return { approved: true } as const
    },
  }
  const session = await host.session({ approver })
  const seen: Event[] = []
  const waiting = new Set<() => void>()
  host.on((event) => {
    seen.push(event)
    for (const look of waiting) look()
  })
  const until: Opened['until'] = (type, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        const found = seen.find((event) => event.type === type && fits(event as never))
        if (found) resolve(found as never)
      }
      waiting.add(look)
      look()
    })
  return { host, session, asked, until }
}

/** The order to serve on a port in the background. */
function orderFor(port: number, start = 'node server.js') {
  return { command: `${start} ${port}`, ports: [port], background: true }
}

/** A port that nothing uses, or that the test itself keeps. */
async function findPort(isKept = false): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo
  if (isKept) onTestFinished(() => void server.close())
  else await new Promise((resolve) => server.close(resolve))
  return port
}

test('a server in the background is reached by later commands, web_fetch and a browser, and is gone with its task', async () => {
  const { session, host, asked, until } = await open()
  const inside = await findPort()
  const started = await session.call('shell', orderFor(inside))
  const { port, url, call } = await until('task-port')
  await until('call-delta', ({ text }) => text.includes('listening'))
  expect(started.ok).toBe(true)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.reason).toContain('open its ports on this machine')
  expect((await until('call-delta', ({ text }) => text.includes('is open at'))).text).toContain(
    `[port ${inside} is open at ${url}]`,
  )

  const curl = await session.call('shell', { command: `curl -sS http://localhost:${inside}/by-curl` })
  expect(curl.text).toContain('hello from /by-curl')
  const fetched = await session.call('web_fetch', { url: `${url}by-fetch` })
  expect(fetched.text).toContain('hello from /by-fetch')
  expect(await headingOf(`${url}by-browser`)).toBe('hello from /by-browser')

  expect(await host.tasks.cancel(call)).toBe(true)
  await until('task-end')
  expect(await isOpen(port)).toBe(false)
  const later = await session.call('web_fetch', { url })
  expect(later).toMatchObject({ code: 'BLOCKED', text: expect.stringContaining('no_private_address') })
})

test('another session does not reach the port of a task', async () => {
  const { session, host, until } = await open()
  const inside = await findPort()
  await session.call('shell', orderFor(inside))
  const { url } = await until('task-port')
  await until('call-delta', ({ text }) => text.includes('listening'))
  const other = await host.session({})
  expect(await other.call('web_fetch', { url })).toMatchObject({ code: 'BLOCKED' })
  const curl = await other.call('run_code', {
    language: 'bash',
    code: `curl -sS -m 2 ${url} http://127.0.0.1:${inside}/`,
  })
  expect(curl.text).not.toContain('hello')
})

test('a port that is taken on this machine gets another number; later commands still use its own', async () => {
  const taken = await findPort(true)
  const { session, until } = await open()
  await session.call('shell', orderFor(taken))
  const { port, url } = await until('task-port')
  await until('call-delta', ({ text }) => text.includes('listening'))
  expect(port).not.toBe(taken)
  expect((await session.call('shell', { command: `curl -sS http://127.0.0.1:${taken}/x` })).text).toContain(
    'hello from /x',
  )
  expect((await session.call('shell', { command: `curl -sS ${url}y` })).text).toContain('hello from /y')
})

test('a server that listens on IPv6 only is reached too', async () => {
  const { session, until } = await open()
  await session.call('shell', orderFor(await findPort(), 'LISTEN=::1 node server.js'))
  const { url } = await until('task-port')
  await until('call-delta', ({ text }) => text.includes('listening'))
  expect((await session.call('web_fetch', { url })).text).toContain('hello from /')
})

test('a port is never opened without a question', async () => {
  const host = await hostWithSettings('')
  expect(await host.call('shell', { command: 'true', ports: [3000] })).toMatchObject({ code: 'DENIED' })
  expect(await host.check('shell', { command: 'true', ports: [3000] })).toMatchObject({
    decision: 'ask',
    rule: 'ask_ports',
  })
})

/** The heading of a page, as a person's browser shows it. */
async function headingOf(url: string): Promise<string | null> {
  const browser = await chromium.launchPersistentContext(temporaryFolder(), {
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  try {
    const page = await browser.newPage()
    await page.goto(url)
    return await page.textContent('h1')
  } finally {
    await browser.close()
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
