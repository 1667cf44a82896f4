import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { clientOf } from '../../support/web/use-app.ts'
import { openWebApp, startSession as start, type WebApp } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const card = ({ page }: Pick<WebApp, 'page'>) => page.locator('[data-approval]')

/** The button that approves, once it is active: it does nothing in the first moment of a card. */
const approve = (app: WebApp) => card(app).locator('.foot button[aria-disabled=false]', { hasText: /^Approve/ })

test('S1.11 an approval says what would happen and who asked; yes runs the call', async () => {
  const app = await openWebApp()
  await start(app, 'delete README.md')
  await expect.poll(() => card(app).getByRole('heading').innerText()).toBe('Delete README.md')
  await expect.poll(() => card(app).innerText()).toMatch(/Asked by rule\s+ask_existing_deletion\s+in the default rules/)
  expect(await card(app).innerText()).toMatch(/Undo\s+possible/)
  await expect.poll(() => app.page.title()).toMatch(/^\(1\) /)
  await approve(app).click()
  await expect.poll(() => existsSync(join(app.workspace, 'README.md'))).toBe(false)
  await expect.poll(() => app.page.locator('[data-state=done]').innerText()).toMatch(/delete_file/)
  await expect.poll(() => app.page.title()).not.toMatch(/^\(/)
  expect(app.errors).toEqual([])
})

test('S1.11 no with a reason: nothing runs, the reason is shown, and the run goes on', async () => {
  const app = await openWebApp()
  await start(app, 'delete README.md')
  await card(app).getByRole('button', { name: 'Deny with reason…' }).click()
  await card(app).getByLabel('Reason, sent to the model').fill('Keep it.')
  await card(app).getByRole('button', { name: /^Deny/ }).click()
  await expect.poll(() => app.page.locator('[data-state=denied]').innerText()).toMatch(/Denied by you\.\s+“Keep it\.”/)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
})

test('S1.11 changed arguments are checked as they are typed, and what runs is the changed call', async () => {
  const app = await openWebApp({ files: { 'old.txt': 'old' } })
  await start(app, 'delete README.md')
  await card(app)
    .getByRole('button', { name: /Change…/ })
    .click()
  await card(app).getByRole('tab', { name: 'JSON' }).click()
  const json = card(app).getByLabel('Arguments as JSON')
  await json.fill('{"path":')
  await expect.poll(() => card(app).innerText()).toMatch(/Not valid JSON/)
  await json.fill('{"path":"../outside.txt"}')
  await expect.poll(() => card(app).innerText()).toMatch(/outside the workspace/)
  await json.fill('{"path":"old.txt"}')
  await expect.poll(() => card(app).getByRole('heading').innerText()).toBe('Delete old.txt')
  await approve(app).click()
  await expect.poll(() => existsSync(join(app.workspace, 'old.txt'))).toBe(false)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
  await expect.poll(() => app.page.locator('[data-state=done]').innerText()).toMatch(/edited by you/)
})

test('S1.11 keys answer the card, but not in its first moment', async () => {
  const app = await openWebApp()
  // Pressed in every frame in which the card says that it takes no answer yet, however slow the machine is.
  await app.page.addInitScript(`
    globalThis.pressed = 0
    const press = () => {
      const button = document.querySelector('[data-approval] .foot button[aria-disabled]')
      if (button?.ariaDisabled === 'true') {
        globalThis.pressed++
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
      }
      if (button?.ariaDisabled !== 'false') requestAnimationFrame(press)
    }
    requestAnimationFrame(press)`)
  await app.page.reload()
  await start(app, 'delete README.md')
  await approve(app).waitFor()
  expect(await app.page.evaluate('globalThis.pressed')).toBeGreaterThan(0)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
  await app.page.keyboard.press('y')
  await expect.poll(() => existsSync(join(app.workspace, 'README.md'))).toBe(false)
})

test('S1.11 letters typed into the message box do not answer the card', async () => {
  const app = await openWebApp()
  await start(app, 'delete README.md')
  await approve(app).waitFor()
  const message = app.page.getByLabel('Message', { exact: true })
  await message.pressSequentially('yes, nobody eats data')
  expect(await message.inputValue()).toBe('yes, nobody eats data')
  expect(await approve(app).count()).toBe(1)
  expect(await card(app).getByRole('tab', { name: 'Form', selected: true }).count()).toBe(0)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
})

test('S1.11 two tabs show one approval; the answer of one shows in the other at once', async () => {
  const app = await openWebApp()
  await start(app, 'delete README.md')
  await card(app).waitFor()
  const other = await app.openTab('/inbox')
  await other.locator('[data-approval]').waitFor()
  await other.locator('[data-approval]').getByRole('button', { name: /^Deny/ }).first().click()
  await expect.poll(() => card(app).count()).toBe(0)
  await expect.poll(() => other.getByText('Nothing waits for you.').count()).toBe(1)
  expect(readFileSync(join(app.workspace, 'README.md'), 'utf8')).toContain('Sample')
})

test('S1.11 an answer that comes too late says so, and runs nothing', async () => {
  const app = await openWebApp()
  const { page, workspace } = app
  await start(app, 'delete README.md')
  await approve(app).waitFor()
  // The other answer arrives while this one is on its way, and the page does not hear of it.
  const client = await clientOf(app)
  await page.route(/\/api\/approvals\/[^/]+$/, async (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    await client.answerApproval({ id, approved: false, reason: 'Keep it.' })
    await page.route(/\/api\/approvals$/, (list) => list.abort())
    await route.continue()
  })
  await approve(app).click()
  await expect
    .poll(() => card(app).innerText())
    .toMatch(/This call was answered already.* This card can no longer be answered\./)
  expect(existsSync(join(workspace, 'README.md'))).toBe(true)
})

test('S1.11 a server killed while a call waits: after the restart the same card is there, its yes runs the call once, and the run goes on', async () => {
  const app = await openWebApp()
  await start(app, 'delete README.md')
  await card(app).waitFor()
  await app.kill()
  await expect.poll(() => app.page.getByText('No connection').count()).toBeGreaterThan(0)
  await app.restart()
  await expect.poll(() => app.page.getByText('Connected', { exact: true }).count(), { timeout: 60_000 }).toBe(1)
  await approve(app).click()
  await expect.poll(() => existsSync(join(app.workspace, 'README.md')), { timeout: 60_000 }).toBe(false)
  await expect.poll(() => app.page.locator('[data-call]').count()).toBe(1)
  await expect.poll(() => app.page.getByText(/^(Replied|Done),/).count()).toBe(1)
})
