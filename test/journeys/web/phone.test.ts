import { expect, test } from 'vitest'
import { openWebApp } from '../../support/web/web-app.ts'

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
