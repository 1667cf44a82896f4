import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { activeButton, openScriptedApp, startSession, type WebApp } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
const overwrite = (path: string, count: number) => ({
  name: 'write_file',
  arguments: { path, content: numbered(count) },
})
const card = ({ page }: Pick<WebApp, 'page'>) => page.locator('[data-approval]').first()
const readOn = (app: WebApp) => activeButton(app, /^Read on to approve/)
const approve = (app: WebApp) => activeButton(app, /^Approve/)
const linesOf = ({ workspace }: WebApp, path = 'README.md') =>
  readFileSync(join(workspace, path), 'utf8').split('\n').length - 1

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  const reply = [{ calls: [overwrite('README.md', 120)] }, { text: 'Written.' }]

  test(`a card that is longer than the page is approved only once all of it was in sight: clicks, ${viewport.width} wide`, async () => {
    const app = await openScriptedApp(reply, { browser: { viewport } })
    await startSession(app, 'write it')
    await readOn(app).waitFor()
    let clicks = 0
    while ((await approve(app).count()) === 0 && clicks < 20) {
      if ((await readOn(app).count()) > 0) {
        await readOn(app).click()
        clicks++
      }
      expect(linesOf(app)).toBe(3)
      await nextFrames(app)
    }
    expect(clicks).toBeGreaterThan(1)
    await approve(app).click()
    await expect.poll(() => linesOf(app)).toBe(120)
    expect(app.errors).toEqual([])
  })

  test(`the inbox asks for the same before it takes an answer, and a jump to the end does not do: keys, ${viewport.width} wide`, async () => {
    const app = await openScriptedApp(reply, { browser: { viewport } })
    await startSession(app, 'write it')
    await card(app).waitFor()
    await app.page.goto(`${app.url}/inbox`)
    await app.page.getByRole('list', { name: 'Waiting calls' }).getByRole('button').click()
    await readOn(app).waitFor()
    await app.page.keyboard.press('y')
    expect(linesOf(app)).toBe(3)
    await scrollToEnd(app)
    await nextFrames(app)
    expect(await approve(app).count()).toBe(0)
    await scrollThrough(app)
    await approve(app).waitFor()
    expect(linesOf(app)).toBe(3)
    await app.page.keyboard.press('y')
    await expect.poll(() => linesOf(app)).toBe(120)
    expect(app.errors).toEqual([])
  })
}

test('lines that are folded can be opened, and nothing is approved before they were', async () => {
  const app = await openScriptedApp([{ calls: [overwrite('README.md', 2_694)] }, { text: 'Written.' }])
  await startSession(app, 'write it')
  await readOn(app).waitFor()
  const all = card(app).getByRole('button', { name: /^Show all 2,\d{3} lines$/ })
  await scrollThrough(app)
  await expect.poll(() => all.count()).toBe(1)
  expect(await approve(app).count()).toBe(0)
  await all.click()
  await expect.poll(() => card(app).getByText('line 2000', { exact: true }).count()).toBe(1)
  expect(await approve(app).count()).toBe(0)
  await scrollThrough(app)
  await approve(app).click()
  await expect.poll(() => linesOf(app)).toBe(2_694)
})

test('after an answer the next card begins at its top, and the reply after the last answer is in sight', async () => {
  const app = await openScriptedApp(
    [
      { calls: [overwrite('README.md', 120), { id: 'call_2', ...overwrite('b.txt', 90) }] },
      { text: `${'A long reply.\n\n'.repeat(60)}The very end.` },
    ],
    { files: { 'b.txt': 'b\n' } },
  )
  await startSession(app, 'write both')
  for (const name of ['README.md', 'b.txt']) {
    await expect.poll(() => card(app).getByRole('heading').innerText()).toContain(name)
    await readOn(app).waitFor()
    await expect.poll(() => isInSight(card(app).getByRole('heading'), app)).toBe(true)
    await scrollThrough(app)
    await approve(app).waitFor()
    await app.page.keyboard.press('y')
    await expect.poll(() => linesOf(app, name)).toBeGreaterThan(80)
  }
  await expect.poll(() => app.page.getByText('The very end.').count()).toBe(1)
  await expect.poll(() => isInSight(app.page.getByText('The very end.'), app)).toBe(true)
})

test('a card that appears while a person types is answered by no key of theirs, wherever the keys go', async () => {
  const app = await openScriptedApp([
    { calls: [{ name: 'delete_file', arguments: { path: 'README.md' } }] },
    { text: 'Gone.' },
  ])
  // The model answers while the keys are on their way.
  await startSession(app, 'delete it')
  const { keyboard } = app.page
  while ((await card(app).count()) === 0) await keyboard.press('y')
  for (let press = 0; press < 20; press++) await keyboard.press('y')
  expect(linesOf(app)).toBe(3)
  await approve(app).waitFor()
  const message = app.page.getByLabel('Message', { exact: true })
  await message.pressSequentially('yes, yes')
  expect(await message.inputValue()).toBe('yes, yes')
  expect(await message.and(app.page.locator(':focus')).count()).toBe(1)
  expect(await approve(app).count()).toBe(1)
  expect(linesOf(app)).toBe(3)
})

const nextFrames = ({ page }: WebApp) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

/** Jumps to the end of the card, past what is between. */
const scrollToEnd = ({ page }: WebApp) =>
  page.evaluate(`document.querySelector('[data-approval]').scrollIntoView({ block: 'end' })`)

/** Scrolls through the card from its top to its end, as with a wheel. */
const scrollThrough = ({ page }: WebApp) =>
  page.evaluate(`(async () => {
    const card = document.querySelector('[data-approval]')
    card.scrollIntoView({ block: 'start' })
    let scroller = card.parentElement
    while (!/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement
    for (let last = -1; last !== scroller.scrollTop; ) {
      last = scroller.scrollTop
      await new Promise(requestAnimationFrame)
      scroller.scrollBy({ top: 300, behavior: 'instant' })
    }
  })()`)

/** True while an element is between the upper and lower edge of the transcript. */
async function isInSight(element: Locator, { page }: Pick<WebApp, 'page'>): Promise<boolean> {
  const [box, pane] = await Promise.all([element.boundingBox(), page.locator('.transcript').boundingBox()])
  return box !== null && pane !== null && box.y >= pane.y && box.y + box.height <= pane.y + pane.height
}
