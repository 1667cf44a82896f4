import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openScriptedApp, openWebApp, startSession as start } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

test('S2.5 a background task shows as one, and is cancelled from the page', async () => {
  const app = await openWebApp()
  const { page } = app
  await start(app, 'run sleep 600 in background')
  const call = page.locator('[data-call]').first()
  await expect.poll(() => call.innerText()).toMatch(/background/)
  await expect.poll(() => page.getByRole('link', { name: /^Tasks\s*1\s*running/ }).count()).toBe(1)
  if ((await call.getByRole('button', { name: 'Cancel' }).count()) === 0) await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => call.getAttribute('data-state')).toBe('cancelled')
})

test('what a rule blocks opens by itself and says which rule and why', async () => {
  const app = await openWebApp({ files: { '.env': 'KEY=1\n' } })
  await start(app, 'read .env')
  await expect
    .poll(() => app.page.locator('[data-state=blocked]').innerText())
    .toMatch(/Blocked by rule\s+no_secret_reading/)
})

test('a new file is undone from its block', async () => {
  const app = await openWebApp()
  await start(app, 'write hello.txt with "Hello!"')
  const call = app.page.locator('[data-call]').first()
  await expect.poll(() => existsSync(join(app.workspace, 'hello.txt'))).toBe(true)
  if ((await call.getByRole('button', { name: 'Undo this change' }).count()) === 0)
    await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Undo this change' }).click()
  const dialog = app.page.getByRole('alertdialog')
  await expect.poll(() => dialog.innerText()).toMatch(/Restores the files[\s\S]*hello\.txt/)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => existsSync(join(app.workspace, 'hello.txt'))).toBe(false)
})

test('hostile output and Markdown stay text: no script, no image from elsewhere, escape sequences are shown', async () => {
  const hostile =
    '<img src=x onerror="document.title=1"> \u001b[31mred\u202e ![x](http://127.0.0.1:9/x.png) [a](javascript:alert(1))\n'
  const app = await openWebApp({ files: { 'evil.md': hostile } })
  const requests: string[] = []
  app.page.on('request', (request) => requests.push(request.url()))
  await start(app, 'read evil.md')
  const call = app.page.locator('[data-call]').first()
  await expect.poll(() => call.getAttribute('data-state')).toBe('done')
  await call.getByRole('button').first().click()
  await expect.poll(() => call.innerText()).toMatch(/\\u\{1b\}\[31mred\\u\{202e\}/)
  expect(await app.page.locator('main img').count()).toBe(0)
  expect(await app.page.locator('a[href^=javascript]').count()).toBe(0)
  expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([])
  expect(app.errors).toEqual([])
})

test('a hostile message of the model stays text: only addresses of the web and of mail are links, and no image is loaded', async () => {
  const text = [
    '[web](https://example.com/a) [mail](mailto:a@example.com)',
    '[script](javascript:alert(1)) [data](data:text/html,x) [file](file:///etc/passwd) [page](/settings) [bare](x.html)',
    '![picture](http://127.0.0.1:9/x.png) <img src=x onerror="document.title=1"> <b>bold</b>',
  ].join('\n\n')
  const app = await openScriptedApp([{ text }])
  const requests: string[] = []
  app.page.on('request', (request) => requests.push(request.url()))
  await start(app, 'Hello')
  const prose = app.page.locator('.prose')
  await expect.poll(() => prose.innerText()).toMatch(/\[image: picture\] <img src=x[\s\S]*<b>bold<\/b>/)
  const links = await Promise.all((await prose.getByRole('link').all()).map((link) => link.getAttribute('href')))
  expect(links).toEqual(['https://example.com/a', 'mailto:a@example.com'])
  expect(await prose.locator('img, b').count()).toBe(0)
  expect(requests.filter((url) => !url.startsWith(app.url))).toEqual([])
  expect(app.errors).toEqual([])
})

test('a message is edited and sent again in a copy of the session', async () => {
  const app = await openWebApp()
  const { page } = app
  await start(app, 'list files')
  await expect.poll(() => page.getByText(/Replied|Done/).count()).toBeGreaterThan(0)
  const first = page.url()
  await page.locator('.you').hover()
  await page.getByRole('button', { name: 'Edit and resend' }).click()
  await page.locator('.you').getByLabel('Message').fill('read README.md')
  await page.locator('.you').getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => page.url()).not.toBe(first)
  await expect.poll(() => page.locator('[data-call]').innerText()).toMatch(/read_file/)
})

test('ten tabs of one browser share one event stream, and the next tab continues when its reader closes', async () => {
  const app = await openWebApp()
  await start(app, 'list files')
  await expect.poll(() => app.page.getByText(/Replied|Done/).count()).toBeGreaterThan(0)
  const path = new URL(app.page.url()).pathname
  const tabs = [app.page]
  const streams = new Set<string>()
  for (let count = 1; count < 10; count++) {
    const tab = await app.openTab(path)
    tab.on('request', (request) => request.url().includes('/api/events') && streams.add(`${count}`))
    tabs.push(tab)
    await tab.locator('[data-call]').first().waitFor()
  }
  expect(streams.size).toBe(0)
  await app.page.close()
  const [, second] = tabs
  if (second === undefined) throw new Error('there is no second tab')
  await second.getByLabel('Message', { exact: true }).fill('read README.md')
  await second.keyboard.press('Enter')
  for (const tab of tabs.slice(1))
    await expect.poll(() => tab.locator('[data-call]').count(), { timeout: 60_000 }).toBe(2)
  expect(streams.size).toBe(1)
})

test('S1.11 on a phone: from the tabs to the inbox, the card, and an answer', async () => {
  const app = await openWebApp({ browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } })
  await start(app, 'delete README.md')
  await app.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /Inbox/ }).click()
  await app.page.getByRole('list', { name: 'Waiting calls' }).getByRole('button').first().click()
  const card = app.page.locator('[data-approval]')
  await card.locator('.foot button[aria-disabled=false]', { hasText: /^Approve/ }).click()
  await expect.poll(() => existsSync(join(app.workspace, 'README.md'))).toBe(false)
  expect(await app.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('the keyboard alone: start a session, approve, and read its end', async () => {
  const app = await openWebApp()
  const { page } = app
  await page.keyboard.press('c')
  await page.locator('#first:focus').waitFor()
  await page.keyboard.type('delete README.md')
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: /^Approve/ }).waitFor()
  await page.keyboard.press('y')
  await expect.poll(() => existsSync(join(app.workspace, 'README.md'))).toBe(false)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page or session').fill('inbox')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByText('Nothing waits for you.').count()).toBe(1)
})

test('a pasted image goes with the message and is shown in it', async () => {
  const app = await openWebApp()
  const { page, url } = app
  await page.goto(`${url}/new`)
  await page.getByLabel('First message').waitFor()
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${pixel}'), (character) => character.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'pixel.png', { type: 'image/png' }))
    const paste = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
    document.getElementById('first').dispatchEvent(paste)
  }`)
  await page.getByText('pixel.png').waitFor()
  await page.getByLabel('First message').fill('list files')
  await page.getByRole('button', { name: 'Start session' }).click()
  await expect.poll(() => page.getByRole('img', { name: 'pixel.png' }).count()).toBe(1)
})

test('in mode review a person sees what a command really changed, discards it, and applies the next', async () => {
  const app = await openWebApp()
  const { page, url } = app
  const readme = () => readFileSync(join(app.workspace, 'README.md'), 'utf8')
  await page.goto(`${url}/new`)
  await page.getByRole('button', { name: /^Mode,/ }).click()
  await page.getByRole('menuitemradio', { name: /^Review/ }).click()
  await page.getByLabel('First message').fill('run echo dropped >> README.md')
  await page.getByRole('button', { name: 'Start session' }).click()
  const card = page.locator('[data-approval]')
  await expect.poll(() => card.getByRole('heading').innerText()).toBe('Apply 1 change?')
  await expect.poll(() => card.innerText()).toMatch(/\+\s*dropped/)
  await card
    .getByRole('button', { name: /^Discard/ })
    .first()
    .click()
  await expect.poll(() => page.locator('[data-state=denied]').count()).toBe(1)
  expect(readme()).not.toContain('dropped')
  await page.getByLabel('Message', { exact: true }).fill('run echo more >> README.md')
  await page.keyboard.press('Enter')
  await expect.poll(() => card.innerText()).toMatch(/\+\s*more/)
  expect(readme()).not.toContain('more')
  await card.locator('.foot button[aria-disabled=false]', { hasText: /^Apply/ }).click()
  await expect.poll(readme).toContain('more')
  expect(readme()).not.toContain('dropped')
})

test('a running command is moved to the background, so that the model goes on, and another is cancelled', async () => {
  const app = await openWebApp()
  const { page } = app
  await start(app, 'run sleep 600')
  const first = page.locator('[data-call]').first()
  await first.getByRole('button', { name: 'Move to background' }).click()
  await expect.poll(() => first.innerText()).toMatch(/background/)
  await expect.poll(() => page.getByText(/^(Replied|Done),/).count()).toBe(1)
  expect(await first.getAttribute('data-state')).toBe('running')
  await page.getByLabel('Message', { exact: true }).fill('run sleep 601')
  await page.keyboard.press('Enter')
  const second = page.locator('[data-call]').nth(1)
  await second.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => second.getAttribute('data-state')).toBe('cancelled')
  await expect.poll(() => page.getByText(/^(Replied|Done),/).count()).toBe(2)
  expect(await first.getAttribute('data-state')).toBe('running')
})
