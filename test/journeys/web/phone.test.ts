import { expect, test } from 'vitest'
import { activeButton, openWebApp, startSession } from '../../support/web/web-app.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('on a phone the text is 15 px, fields are 16 px, and what is pressed is at least 44 px high', async () => {
  const { page, url } = await openWebApp({ browser: PHONE })
  const sizeOf = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontSize`)
  expect(await sizeOf('body')).toBe('15px')
  await page.goto(`${url}/new`)
  await page.getByLabel('First message').waitFor()
  expect(await sizeOf('#first')).toBe('16px')
  const pressed = await page.locator('main button:visible, main .btn:visible').all()
  expect(pressed.length).toBeGreaterThan(5)
  for (const one of pressed) expect((await one.boundingBox())?.height, await one.innerText()).toBeGreaterThanOrEqual(44)
})

test('on a phone More leads to tasks, rules, log and settings, and the tab of every page is marked', async () => {
  const app = await openWebApp({ browser: PHONE })
  const { page } = app
  const tabs = page.getByRole('navigation', { name: 'Pages' })
  const marked = () => tabs.locator('[aria-current=page]').allInnerTexts()
  await startSession(app, 'list files')
  await expect.poll(marked).toEqual(['Sessions'])
  for (const name of ['Tasks', 'Rules', 'Log']) {
    await tabs.getByRole('link', { name: 'More' }).click()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1, name }).count()).toBe(1)
    expect(await marked()).toEqual(['More'])
  }
})

test('on a phone a card of the inbox is a page of its own: no tabs, every button whole, and the Back of the browser leads to the list', async () => {
  const app = await openWebApp({ browser: PHONE })
  const { page } = app
  await startSession(app, 'delete README.md')
  await activeButton(app, /^Approve/).waitFor()
  const tabs = page.getByRole('navigation', { name: 'Pages' })
  await tabs.getByRole('link', { name: /Inbox/ }).click()
  await page.getByRole('list', { name: 'Waiting calls' }).getByRole('button').first().click()
  await activeButton(app, /^Approve/).waitFor()
  expect(await tabs.isVisible()).toBe(false)
  const cut = `[...document.querySelectorAll('[data-approval] .foot button')]
    .filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.innerText)`
  expect(await page.evaluate(cut)).toEqual([])
  const foot = (await page.locator('[data-approval] .foot').boundingBox()) ?? { x: 0, width: 0 }
  for (const button of await page.locator('[data-approval] .foot button').all()) {
    const { x, width } = (await button.boundingBox()) ?? { x: -1, width: 0 }
    expect(x).toBeGreaterThanOrEqual(foot.x)
    expect(x + width).toBeLessThanOrEqual(foot.x + foot.width)
  }
  await page.goBack()
  await expect.poll(() => page.getByRole('list', { name: 'Waiting calls' }).isVisible()).toBe(true)
  expect(await tabs.isVisible()).toBe(true)
})
