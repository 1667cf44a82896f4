import { expect, test, vi } from 'vitest'
import { violationsInAllLooks } from '../../support/web/axe.ts'
import { openWebApp } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

test('axe finds nothing on home, sessions, inbox and palette: light and dark, 1440 and 390 wide', async () => {
  const { page, url } = await openWebApp({ browser: { bypassCSP: true } })
  const found: Record<string, readonly string[]> = {}
  const look = async (name: string) => {
    const here = await violationsInAllLooks(page)
    if (here.length > 0) found[name] = here
  }
  await page.getByRole('heading', { name: /No model found/ }).waitFor()
  await look('home')
  await page.goto(`${url}/new`)
  await page.getByRole('button', { name: /^Built-in tools/ }).click()
  await page.getByRole('checkbox').first().waitFor()
  await look('new session')
  await page.keyboard.press('Escape')
  await page.getByLabel('First message').fill('delete README.md')
  await page.getByRole('button', { name: 'Start session' }).click()
  await page.locator('[data-approval] .foot button[aria-disabled=false]').first().waitFor()
  await look('session with a card')
  await page.getByRole('button', { name: /Change…/ }).click()
  await page.getByLabel(/path/).first().waitFor()
  await look('card with a form')
  await page.getByRole('button', { name: /^Back/ }).click()
  await page.getByRole('button', { name: 'More ways to approve' }).click()
  await page.getByRole('menuitem', { name: /remember/ }).click()
  await page.getByRole('radio').first().waitFor()
  await look('card with a grant')
  await page.goto(`${url}/inbox`)
  await page.locator('.li, [data-approval]').first().waitFor()
  await look('inbox')
  await page.goto(url)
  await page.getByLabel('Search sessions').waitFor()
  await look('sessions')
  await page.getByRole('main').press('Control+k')
  await page.getByPlaceholder('Go to a page or session').waitFor()
  await look('command palette')
  await page.goto(`${url}/settings/models/new`)
  await page.getByLabel('Provider').waitFor()
  await look('connect a model')
  expect(found).toEqual({})
})
