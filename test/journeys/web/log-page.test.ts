import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scrollToEnd } from '../../support/web/scrolling.ts'
import { clientOf, FAULT, pretend } from '../../support/web/use-app.ts'
import { openWebApp } from '../../support/web/web-app.ts'

test('S0.12 every call is listed: when, which, arguments, decision, duration, outcome; filtered and searched', async () => {
  const app = await openWebApp({ files: { 'notes.txt': 'the word zebra\n' } })
  const { page, url, errors } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'read_file', arguments: { path: 'notes.txt' } })
  await client.callTool({ name: 'read_file', arguments: { path: 'missing.txt' } })
  await client.callTool({ name: 'shell', arguments: { command: 'rm -rf /' } })
  await page.goto(`${url}/log`)
  const list = page.getByRole('list', { name: /^Calls/ })
  await expect.poll(() => list.getByRole('button').count()).toBe(3)
  const [blocked = '', failed = '', done = ''] = await list.getByRole('button').allInnerTexts()
  expect(blocked).toMatch(/\d\d:\d\d:\d\d\s+shell\s+rm -rf \/\s+blocked: \w+\s+blocked/)
  expect(failed).toMatch(/read_file\s+missing\.txt\s+allowed: effect read\s+failed\s+[\d.]+ m?s/)
  expect(done).toMatch(/read_file\s+notes\.txt\s+allowed: effect read\s+done\s+[\d.]+ m?s/)
  await page.getByLabel('Decision').selectOption('deny')
  await expect.poll(() => list.getByRole('button').count()).toBe(1)
  expect(page.url()).toContain('decision=deny')
  await page.reload()
  await expect.poll(() => list.getByRole('button').count()).toBe(1)
  await page.getByLabel('Decision').selectOption('')
  await page.getByLabel(/^Search arguments/).fill('zebra')
  await expect.poll(() => list.getByRole('button').allInnerTexts()).toEqual([done])
  await page.getByLabel(/^Search arguments/).fill('nowhere')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => list.getByRole('button').count()).toBe(3)
  await client.callTool({ name: 'list_directory', arguments: { path: '.' } })
  await expect.poll(() => list.getByRole('button').count()).toBe(4)
  expect(errors).toEqual([])
}, 60_000)

test('the story of a call goes from its proposal to its result, with who allowed it; it is undone from there with the diff first', async () => {
  const app = await openWebApp()
  const { page, url, workspace } = app
  const client = await clientOf(app)
  const edit = { path: 'README.md', edits: [{ old: 'Hello', new: 'Goodbye' }] }
  const asked = await client.callTool({ name: 'edit_file', arguments: edit })
  if (!('call' in asked) || !asked.approval) throw new Error('it did not ask')
  await client.answerApproval({ id: asked.approval.id, approved: true })
  await expect.poll(() => readFileSync(join(workspace, 'README.md'), 'utf8')).toMatch(/Goodbye/)
  await page.goto(`${url}/log?call=${asked.call}`)
  const story = page.getByRole('complementary', { name: 'Story of the call' })
  await expect
    .poll(() => story.innerText(), { timeout: 20_000 })
    .toMatch(
      /Proposed[\s\S]*Goodbye[\s\S]*judged: ask[\s\S]*Asked a person[\s\S]*Approved[\s\S]*from here on things happened[\s\S]*Ran, allowed by[\s\S]*Ended well/,
    )
  await story
    .getByRole('button', { name: /^Trace/ })
    .first()
    .click()
  await expect.poll(() => story.locator('.trace').count()).toBeGreaterThan(0)
  await story.getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect
    .poll(() => dialog.innerText())
    .toMatch(/Undo this call\?[\s\S]*Restores the files[\s\S]*Goodbye[\s\S]*Hello/)
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toMatch(/Goodbye/)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => readFileSync(join(workspace, 'README.md'), 'utf8')).toMatch(/Hello/)
}, 60_000)

test('a call that changed no file offers no undo; one that did offers it', async () => {
  const app = await openWebApp()
  const { page, url } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })
  await client.callTool({ name: 'write_file', arguments: { path: 'new.txt', content: 'new\n' } })
  const { calls } = await client.listCalls({})
  const [written, read] = calls
  await page.goto(`${url}/log?call=${read?.call}`)
  const story = page.getByRole('complementary', { name: 'Story of the call' })
  await expect
    .poll(() => story.innerText(), { timeout: 20_000 })
    .toMatch(/read_file[\s\S]*Nothing to undo[\s\S]*Ended well/)
  expect(await story.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  await page.goto(`${url}/log?call=${written?.call}`)
  await story.getByRole('button', { name: 'Undo…' }).waitFor()
}, 60_000)

test('10,000 calls scroll with few rows in the page, and are exported whole, as a table and as JSON lines; formulas of a table stay text', async () => {
  const { page, url } = await openWebApp()
  const record = (index: number) => ({
    ...{ cursor: index, session: 's', workspace: '/w', parent: null, call: `c${index}`, tool: 'shell' },
    ...{ arguments: index === 10_000 ? '=1+1' : `{"command":"echo ${index}"}`, at: 1_700_000_000_000 + index },
    ...{ decision: 'allow', rule: 'r', clearedBy: 'rule r', ran: true, outcome: 'ok', duration: 5, task: null },
  })
  await page.route(/\/api\/log\?/, (route) => {
    const query = new URL(route.request().url()).searchParams
    const before = Number(query.get('before') ?? 10_001)
    const limit = Math.min(Number(query.get('limit') ?? 100), before - 1)
    const calls = Array.from({ length: limit }, (_, index) => record(before - 1 - index))
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ calls }) })
  })
  await page.goto(`${url}/log`)
  const list = page.getByRole('list', { name: /^Calls/ })
  await expect.poll(() => list.getByRole('listitem').count(), { timeout: 20_000 }).toBeGreaterThan(10)
  const scroll = page.locator('.rows-scroll')
  for (let step = 0; step < 25; step++) {
    await scrollToEnd(scroll)
    if (await page.getByText('10,000 calls').count()) break
    await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(5)
  }
  await expect
    .poll(
      async () => {
        await scrollToEnd(scroll)
        return list.innerText()
      },
      { timeout: 30_000 },
    )
    .toMatch(/echo 1\n/)
  expect(await list.getByRole('listitem').count()).toBeLessThan(80)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(10_002)
  expect(text).toContain(",'=1+1,")
  const lines = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /JSON lines/ }).click()
  const calls = readFileSync(await (await lines).path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(calls).toHaveLength(10_000)
  expect(calls[0]).toEqual(record(10_000))
}, 90_000)

test('on a phone the log is a list, a call is a page of its own with a link, and a failing server is said', async () => {
  const app = await openWebApp({ browser: { viewport: { width: 390, height: 844 } } })
  const { page, url } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })
  await page.goto(`${url}/log`)
  const list = page.getByRole('list', { name: /^Calls/ })
  await list.getByRole('button').first().click()
  const story = page.getByRole('complementary', { name: 'Story of the call' })
  await expect.poll(() => story.innerText()).toMatch(/Proposed[\s\S]*Ended well/)
  expect(await list.isVisible()).toBe(false)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => list.isVisible()).toBe(true)
  await pretend(page, /\/api\/log\?/, 500, FAULT)
  await page.goto(`${url}/log`)
  await expect.poll(() => page.getByRole('alert').innerText(), { timeout: 20_000 }).toMatch(/calls cannot be loaded/)
}, 60_000)
