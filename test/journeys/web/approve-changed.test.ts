import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { activeButton, openScriptedApp, openWebApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

/** An answer that the page sent, beside what its editor showed when it was sent. */
interface Sent {
  readonly body: { readonly modifiedArgs?: unknown; readonly digest?: string }
  readonly shown: string
  /** Milliseconds since the editor or the description of the call last changed. */
  readonly calm: number
}

/** Notes every answer that the page sends. Approves in every frame, by a click and by both keys, as soon as `globalThis.isEager` is set. */
const APPROVE_IN_EVERY_FRAME = `
  globalThis.answers = []
  let last = ''
  let changedAt = 0
  const shownText = () => [...document.querySelectorAll('[data-approval] :is(textarea, input)')].map(({ value }) => value).join('|')
  const look = () => {
    const now = shownText() + (document.querySelector('[data-approval] h2')?.textContent ?? '')
    if (now !== last) [last, changedAt] = [now, performance.now()]
  }
  const send = globalThis.fetch
  globalThis.fetch = (input, options) => {
    if (options?.method === 'POST' && /approvals\\/[^/]+$/.test(String(input.url ?? input))) {
      look()
      globalThis.answers.push({ body: JSON.parse(options.body), shown: shownText(), calm: performance.now() - changedAt })
    }
    return send(input, options)
  }
  const approve = () => {
    look()
    if (globalThis.isEager) {
      document.querySelector('[data-approval] .f-approve button')?.click()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    }
    requestAnimationFrame(approve)
  }
  requestAnimationFrame(approve)`

/** Holds back the answers to checks until the returned function is called. */
async function holdChecks(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/api\/(approvals\/[^/]+|tools)\/check$|\/tools\/[^/]+\/check$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const answersOf = (page: Page) => page.evaluate('globalThis.answers') as Promise<Sent[]>
const beEager = (page: Page) => page.evaluate('globalThis.isEager = true')
const approveLabel = (card: Locator) => card.locator('.f-approve button').first().innerText()

test.each(['Form', 'JSON'] as const)(
  'S1.11 approved at once after typing (%s): nothing is sent before the text on the screen is checked, and then exactly that text',
  async (tab) => {
    const app = await openWebApp({ files: { 'first.txt': 'first', 'old.txt': 'old' } })
    const { page, workspace } = app
    await page.addInitScript(APPROVE_IN_EVERY_FRAME)
    await page.reload()
    await startSession(app, 'delete README.md')
    const card = page.locator('[data-approval]')
    await activeButton(app, /^Approve/).waitFor()
    await page.keyboard.press('e')
    await card.getByRole('tab', { name: tab }).click()
    const field = tab === 'JSON' ? card.getByLabel('Arguments as JSON') : card.getByLabel(/^path/)
    const write = (path: string) => field.fill(tab === 'JSON' ? JSON.stringify({ path }) : path)
    // The first change is checked, and can be approved.
    await write('first.txt')
    await activeButton(app, /^Approve changed/).waitFor()
    // The next one is not checked yet: the last known answer is about another text.
    const release = await holdChecks(page)
    await field.focus()
    await write('old.txt')
    await beEager(page)
    await expect.poll(() => approveLabel(card)).toMatch(/^Checking…/)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await answersOf(page)).toEqual([])
    release()
    await expect.poll(() => existsSync(join(workspace, 'old.txt'))).toBe(false)
    const [sent, ...others] = await answersOf(page)
    expect(others).toEqual([])
    expect(sent?.body.modifiedArgs).toEqual({ path: 'old.txt' })
    expect(sent?.shown).toContain('old.txt')
    // Nobody approves what appeared a moment ago: 400 ms, less the frames until the change was noticed.
    expect(sent?.calm).toBeGreaterThan(350)
    for (const kept of ['README.md', 'first.txt']) expect(existsSync(join(workspace, kept))).toBe(true)
    expect(app.errors).toEqual([])
  },
)

test('S1.11 arguments that are invalid or cannot be checked are never approved', async () => {
  const app = await openWebApp()
  const { page, workspace } = app
  await page.addInitScript(APPROVE_IN_EVERY_FRAME)
  await page.reload()
  await startSession(app, 'delete README.md')
  const card = page.locator('[data-approval]')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('e')
  await card.getByRole('tab', { name: 'JSON' }).click()
  const field = card.getByLabel('Arguments as JSON')
  await field.fill('{"path":')
  await beEager(page)
  await expect.poll(() => card.innerText()).toMatch(/Not valid JSON/)
  await field.fill('{"path":"../outside.txt"}')
  await expect.poll(() => card.innerText()).toMatch(/outside the workspace/)
  await page.route(/\/check$/, (route) => route.abort())
  await field.fill('{"path":"README.md"}')
  await expect.poll(() => card.innerText()).toMatch(/could not be checked, so it cannot be approved/)
  expect(await answersOf(page)).toEqual([])
  expect(existsSync(join(workspace, 'README.md'))).toBe(true)
  // It can be checked again, and is approved then.
  await page.unroute(/\/check$/)
  await card.getByRole('button', { name: 'Check again' }).click()
  await expect.poll(() => existsSync(join(workspace, 'README.md'))).toBe(false)
})

test('S0.13 a plan that is approved at once after an edit starts as the editor shows it', async () => {
  const jobs = [
    { id: 'make', prompt: 'Make the file.', check: 'true' },
    { id: 'needless', prompt: 'Nobody needs this.', check: 'true' },
  ]
  const app = await openScriptedApp([
    { calls: [{ name: 'propose_plan', arguments: { plan: { goal: 'The file is there.', jobs } } }] },
    { calls: [{ name: 'task_complete', arguments: { summary: 'It is done.' } }] },
  ])
  const { page } = app
  await page.addInitScript(APPROVE_IN_EVERY_FRAME)
  await page.reload()
  await startSession(app, 'Please plan.')
  const card = page.locator('[data-approval]')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('e')
  await card.getByLabel('Goal').fill('The file is really there.')
  await activeButton(app, /^Approve changed/).waitFor()
  const release = await holdChecks(page)
  await card.getByRole('button', { name: 'Remove needless' }).click()
  await beEager(page)
  await expect.poll(() => approveLabel(card)).toMatch(/^Checking…/)
  expect(await answersOf(page)).toEqual([])
  release()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('link', { name: /The file is really there/ }).click()
  expect(await page.getByRole('table').innerText()).not.toMatch(/needless/)
  const [sent, ...others] = await answersOf(page)
  expect(others).toEqual([])
  expect(sent?.body).toMatchObject({ modifiedArgs: { plan: { goal: 'The file is really there.', jobs: [jobs[0]] } } })
  expect(sent?.calm).toBeGreaterThan(350)
})
