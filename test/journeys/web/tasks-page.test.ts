import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../support/model-server/free-port.ts'
import { eventually, findExactly } from '../../support/processes.ts'
import { scrollToEnd } from '../../support/web/scrolling.ts'
import { clientOf, FAULT, pretend } from '../../support/web/use-app.ts'
import { openWebApp, type WebApp } from '../../support/web/web-app.ts'

/** Starts a background command and returns the id of its call. */
async function startTask(app: WebApp, command: string, more: object = {}): Promise<string> {
  const client = await clientOf(app)
  const started = await client.callTool({
    name: 'shell',
    arguments: { command, background: true, ...more },
    detached: true,
  })
  if (!('call' in started)) throw new Error('it did not start')
  return started.call
}

test('S2.5 a task of any session shows its output as it comes, and is cancelled; J chooses it', async () => {
  const app = await openWebApp()
  const { page, url, errors } = app
  await page.goto(`${url}/tasks`)
  await expect.poll(() => page.getByText('Nothing runs in the background.').count()).toBe(1)
  await startTask(app, 'echo first; sleep 600')
  const list = page.getByRole('list', { name: /^Tasks/ })
  await expect.poll(() => list.getByRole('button').count(), { timeout: 20_000 }).toBe(1)
  await page.keyboard.press('j')
  const output = page.getByRole('region', { name: 'Output' })
  await expect.poll(() => output.innerText(), { timeout: 20_000 }).toMatch(/first/)
  expect(page.url()).toContain('task=')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => list.innerText(), { timeout: 20_000 }).toMatch(/cancelled/)
  await expect.poll(() => page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
  expect(errors).toEqual([])
}, 60_000)

/** A task whose changes wait: a person changed a file while it ran. */
async function conflictingTask(app: WebApp): Promise<void> {
  const mark = `7${Math.floor(Math.random() * 1e9)}`
  const call = await startTask(app, `echo command > a.txt; echo new > b.txt; sleep ${mark}; true`)
  const client = await clientOf(app)
  await eventually(async () => (await client.listApprovals({})).approvals.some((one) => one.call === call))
  const [asked] = (await client.listApprovals({})).approvals
  await client.answerApproval({ id: asked?.id ?? '', approved: true })
  await eventually(() => findExactly(`sleep ${mark}`).length > 0)
  writeFileSync(join(app.workspace, 'a.txt'), 'person\n')
  for (const pid of findExactly(`sleep ${mark}`)) process.kill(pid)
  await app.page.goto(`${app.url}/tasks?task=${call}`)
}

test('changes of a background command that conflict wait: each file is shown, applied one by one, or all are discarded', async () => {
  const app = await openWebApp({ files: { 'a.txt': 'before\n' } })
  const { page, workspace } = app
  await conflictingTask(app)
  const waiting = page.getByRole('region', { name: 'Changes that wait for you' })
  await expect
    .poll(() => waiting.innerText(), { timeout: 40_000 })
    .toMatch(/2 changes wait for you[\s\S]*a\.txt[\s\S]*changed by others too[\s\S]*b\.txt/)
  expect(await waiting.innerText()).toMatch(/person[\s\S]*command/)
  await waiting.getByRole('checkbox', { name: /a\.txt/ }).uncheck()
  await waiting.getByRole('button', { name: 'Apply 1 of 2' }).click()
  await expect.poll(() => waiting.innerText(), { timeout: 20_000 }).toMatch(/1 change waits for you/)
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('new\n')
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('person\n')
  await waiting.getByRole('button', { name: 'Discard all…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByText('Its changes were discarded.').count(), { timeout: 20_000 }).toBe(1)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('person\n')
}, 120_000)

test('a port of a task is a link while it runs', async () => {
  const app = await openWebApp({ files: { 'index.html': '<h1>from the task</h1>' } })
  const { page, url } = app
  const port = await freePort()
  const call = await startTask(app, `python3 -m http.server ${port} --bind 127.0.0.1`, { ports: [port] })
  await page.goto(`${url}/tasks?task=${call}`)
  const approve = page.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: 'Approve' }).first()
  await approve.click({ timeout: 30_000 })
  const link = page.getByRole('link', { name: new RegExp(`^Port ${port}`) })
  await expect
    .poll(() => link.getAttribute('href').catch(() => ''), { timeout: 30_000 })
    .toMatch(/^http:\/\/127\.0\.0\.1:\d+/)
  const tab = await app.context.newPage()
  await expect
    .poll(
      async () => {
        await tab.goto((await link.getAttribute('href')) ?? '').catch(() => undefined)
        return tab.content()
      },
      { timeout: 30_000 },
    )
    .toMatch(/from the task/)
}, 90_000)

test('10,000 tasks scroll with few rows in the page; on a phone a task is a page of its own; a failing server is said', async () => {
  const { page, url } = await openWebApp({ browser: { viewport: { width: 390, height: 844 } } })
  const tasks = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ task: `c${index}`, session: 's', tool: 'shell', arguments: `{"command":"sleep ${index}"}`, state: 'ended' },
    ...{ startedAt: 1_700_000_000_000, outcome: 'ok', duration: 5 },
  }))
  await page.route(/\/api\/tasks(\?|$)/, (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit') ?? 100)
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ tasks: tasks.slice(0, limit) }) })
  })
  await page.goto(`${url}/tasks`)
  const list = page.getByRole('list', { name: /^Tasks/ })
  await expect.poll(() => list.getByRole('listitem').count(), { timeout: 20_000 }).toBeGreaterThan(5)
  const scroll = page.locator('.rows-scroll')
  await expect
    .poll(
      async () => {
        await scrollToEnd(scroll)
        return list.innerText()
      },
      { timeout: 20_000 },
    )
    .toMatch(/sleep 9999/)
  expect(await list.getByRole('listitem').count()).toBeLessThan(60)
  await page.unroute(/\/api\/tasks(\?|$)/)
  await pretend(page, /\/api\/tasks/, 500, FAULT)
  await page.goto(`${url}/tasks`)
  await expect.poll(() => page.getByRole('alert').innerText(), { timeout: 20_000 }).toMatch(/tasks cannot be loaded/)
}, 60_000)
