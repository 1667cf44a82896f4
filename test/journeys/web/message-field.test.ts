import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { activeButton, openWebApp, startSession } from '../../support/web/web-app.ts'

test('what is typed while a message is on its way stays in the box; a message that could not be sent comes back', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'list files')
  const box = page.getByLabel('Message', { exact: true })
  let release = (_: 'send' | 'fail') => undefined as unknown
  const held = new Promise<'send' | 'fail'>((resolve) => {
    release = resolve
  })
  const path = /\/sessions\/[^/]+\/messages$/
  await page.route(path, async (route) => ((await held) === 'send' ? route.continue() : route.abort()), { times: 1 })
  await box.fill('read README.md')
  await page.keyboard.press('Enter')
  await expect.poll(() => box.inputValue()).toBe('')
  await page.keyboard.type('and the next')
  release('send')
  await expect.poll(() => page.getByText('read README.md', { exact: true }).count()).toBe(1)
  expect(await box.inputValue()).toBe('and the next')
  await page.route(path, (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Enter')
  await page.getByText('Your message is not sent yet.').waitFor()
  expect(await box.inputValue()).toBe('and the next')
})

test('the keyboard alone, after a second message: Escape leads from the message box to the card, and Y then answers it', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'list files')
  await page.getByText(/^(Replied|Done),/).waitFor()
  await page.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.type('delete README.md')
  await page.keyboard.press('Enter')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-approval] h2:focus').waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('y')
      return existsSync(join(app.workspace, 'README.md'))
    })
    .toBe(false)
})

test('a card that appears is in sight as it grows: its sentence and its buttons, also where it is taller than the window, and Y answers it', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `Hello ${index}`).join('\n')
  const app = await openWebApp({ files: { 'long.md': lines }, browser: { viewport: { width: 1440, height: 560 } } })
  const { page } = app
  await startSession(app, 'list files')
  await page.getByText(/^(Replied|Done),/).waitFor()
  await page.getByLabel('Message', { exact: true }).fill('write long.md with "Bye"')
  await page.keyboard.press('Enter')
  await page.locator('[data-approval] .foot').waitFor()
  const isIn = (selector: string) =>
    page.evaluate(`{
      const part = document.querySelector('[data-approval] ${selector}').getBoundingClientRect()
      const view = document.querySelector('.transcript').getBoundingClientRect()
      part.top >= view.top && part.bottom <= view.bottom + 1
    }`)
  for (const part of ['h2', '.foot']) await expect.poll(() => isIn(part)).toBe(true)
  await page.keyboard.press('Escape')
  // A key answers only after a pause, and each one before it shows the next page.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('y')
        return readFileSync(join(app.workspace, 'long.md'), 'utf8')
      },
      { interval: 1_500 },
    )
    .toBe('Bye')
})

test('Y pressed while the card is out of sight shows the card and answers nothing', async () => {
  const app = await openWebApp({ browser: { viewport: { width: 1440, height: 560 } } })
  const { page } = app
  await startSession(
    app,
    `list files then ${Array.from({ length: 12 }, (_, step) => `run echo ${step}`).join(' then ')} then delete README.md`,
  )
  await page.locator('[data-approval] .foot').waitFor({ timeout: 60_000 })
  await page.evaluate("document.querySelector('.transcript').scrollTo(0, 0)")
  await page.getByRole('button', { name: /^Review/ }).waitFor()
  await page.keyboard.press('y')
  await expect.poll(() => page.getByRole('button', { name: /^Review/ }).count()).toBe(0)
  expect(existsSync(join(app.workspace, 'README.md'))).toBe(true)
  expect(await page.locator('[data-approval]').count()).toBe(1)
})

test('every field of the form has a label in sight, those inside a list too', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'replace Hello with Bye in README.md')
  await activeButton(app, /^Approve/).waitFor()
  await page.keyboard.press('e')
  const card = page.locator('[data-approval]')
  for (const name of [/^path/, /^old/, /^new/]) {
    await card.getByLabel(name).waitFor()
    await expect.poll(() => card.locator('label', { hasText: name }).isVisible()).toBe(true)
  }
})
