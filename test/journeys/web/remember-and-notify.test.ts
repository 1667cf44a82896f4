import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { activeButton, openWebApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const card = (app: { readonly page: import('playwright-core').Page }) => app.page.locator('[data-approval]')

test('S1.11 an approval is remembered for the session: the next call does not ask, and the grant is revoked from the page', async () => {
  const app = await openWebApp({ files: { 'a.txt': 'a', 'b.txt': 'b' } })
  const { page } = app
  await startSession(app, 'run echo 1 >> a.txt')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('a')
  await expect.poll(() => card(app).getByRole('radio', { name: 'this session' }).isChecked()).toBe(true)
  expect(await card(app).innerText()).toMatch(/Covers .*, for this session\. Rules that block still block/)
  await activeButton(app, /^Approve and remember/).click()
  const details = page.getByRole('complementary', { name: 'Session details' })
  await expect.poll(() => details.innerText()).toMatch(/Grants in this session/)
  await page.getByLabel('Message', { exact: true }).fill('run echo 1 >> a.txt')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-call][data-state=done]').count()).toBe(2)
  await details.getByRole('button', { name: /^Revoke/ }).click()
  await expect.poll(() => details.innerText()).not.toMatch(/Grants in this session/)
  await page.getByLabel('Message', { exact: true }).fill('run echo 1 >> a.txt')
  await page.keyboard.press('Enter')
  await activeButton(app, /^Approve/).waitFor()
})

test('S1.11 a dry run shows what a command would change, and changes nothing', async () => {
  const app = await openWebApp()
  await startSession(app, 'run rm README.md')
  await activeButton(app, /^Approve/).waitFor()
  await app.page.keyboard.press('d')
  await expect.poll(() => card(app).innerText(), { timeout: 60_000 }).toMatch(/Nothing was applied\.[\s\S]*README\.md/)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
  await app.page.keyboard.press('Escape')
  await app.page.keyboard.press('t')
  await expect.poll(() => card(app).locator('.trace').innerText()).toMatch(/ask_existing_deletion[\s\S]*asks/)
})

test('S1.11 what was answered is listed in the inbox, and the next card takes its place', async () => {
  const app = await openWebApp({ files: { 'old.txt': 'old' } })
  const { page } = app
  await startSession(app, 'delete README.md')
  await card(app).waitFor()
  await startSession(app, 'delete old.txt')
  await card(app).waitFor()
  await page.getByRole('link', { name: /^Inbox\s*2\s*waiting/ }).click()
  await expect.poll(() => page.getByRole('list', { name: 'Waiting calls' }).getByRole('button').count()).toBe(2)
  await page.keyboard.press('j')
  await expect.poll(() => card(app).getByRole('heading').innerText()).toBe('Delete old.txt')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('n')
  await expect.poll(() => card(app).getByRole('heading').innerText()).toBe('Delete README.md')
  await expect
    .poll(() => page.getByRole('list', { name: 'Answered today' }).innerText())
    .toMatch(/delete_file\s+old\.txt\s+Denied/)
  expect(existsSync(join(app.workspace, 'old.txt'))).toBe(true)
})

/** Records each notification that Chromium really showed. */
const RECORD = `
  globalThis.shownNotifications = []
  const Real = Notification
  globalThis.Notification = class extends Real {
    constructor(title, options) {
      super(title, options)
      this.addEventListener('show', () => globalThis.shownNotifications.push(title + ': ' + options.body))
      globalThis.lastNotification = this
    }
  }`

/** Makes the page believe that it is hidden or seen: headless Chromium shows every tab. */
const setHidden = (isHidden: boolean) => `
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
  document.dispatchEvent(new Event('visibilitychange'))`

test('S1.11 a hidden page shows a notification for a call that waits; it leads to the card and cannot approve', async () => {
  const app = await openWebApp({ browser: { permissions: ['notifications'] } })
  const { page, url } = app
  await page.addInitScript(RECORD)
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const shown = () => page.evaluate('globalThis.shownNotifications.join()')
  const waits = (path: string) =>
    page.evaluate(`(async () => {
    const headers = { Authorization: 'Bearer ' + localStorage.getItem('haft-token'), 'Content-Type': 'application/json' }
    const body = JSON.stringify({ message: 'delete ${path}', model: 'demo' })
    await fetch('/api/sessions', { method: 'POST', headers, body })
  })()`)
  await waits('README.md')
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  expect(await shown()).toBe('')
  await page.evaluate(setHidden(true))
  await waits('README.md')
  await expect.poll(shown).toBe('Haft waits for you: Delete README.md')
  await page.evaluate(setHidden(false))
  await page.evaluate('globalThis.lastNotification.onclick()')
  await expect.poll(() => page.url()).toMatch(/\/inbox\?approval=/)
  await card(app).waitFor()
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
})
