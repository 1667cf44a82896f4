import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf } from '../../support/web/use-app.ts'
import { openWebApp, type WebApp } from '../../support/web/web-app.ts'

async function say({ page }: Pick<WebApp, 'page'>, message: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(message)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

async function start({ page, url }: Pick<WebApp, 'page' | 'url'>, message: string): Promise<void> {
  await page.goto(`${url}/new`)
  await page.getByLabel('First message').fill(message)
  await page.getByRole('button', { name: 'Start session' }).click()
  await page.getByRole('region', { name: 'Transcript' }).waitFor()
}

test('a conversation and its files go back to a message together, with the diff first', async () => {
  const app = await openWebApp()
  const { page, workspace } = app
  await start(app, 'write one.txt with "1"')
  await expect.poll(() => existsSync(join(workspace, 'one.txt')), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => page.getByText(/^(Done|Replied),/).count(), { timeout: 20_000 }).toBe(1)
  await say(app, 'write two.txt with "2"')
  await expect.poll(() => existsSync(join(workspace, 'two.txt')), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => page.getByText(/^(Done|Replied),/).count(), { timeout: 20_000 }).toBe(2)
  const first = page.url()
  await page.locator('.you').nth(1).hover()
  await page
    .locator('.you')
    .nth(1)
    .getByRole('button', { name: /Rewind|Go back/ })
    .click()
  const dialog = page.getByRole('alertdialog')
  await expect
    .poll(() => dialog.innerText(), { timeout: 20_000 })
    .toMatch(/Go back to this message\?[\s\S]*1 call changed[\s\S]*two\.txt/)
  expect(existsSync(join(workspace, 'two.txt'))).toBe(true)
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await expect.poll(() => page.url(), { timeout: 20_000 }).not.toBe(first)
  await expect.poll(() => existsSync(join(workspace, 'two.txt'))).toBe(false)
  expect(existsSync(join(workspace, 'one.txt'))).toBe(true)
  await expect.poll(() => page.locator('.you').count(), { timeout: 20_000 }).toBe(1)
}, 90_000)

test('a file that changed since is not lost: undo says so, and restores it all the same only when told to, keeping what is there', async () => {
  const app = await openWebApp()
  const { page, url, workspace } = app
  const client = await clientOf(app)
  const written = await client.callTool({
    name: 'write_file',
    arguments: { path: 'new.txt', content: 'from the call\n' },
    detached: true,
  })
  if (!('call' in written)) throw new Error('it did not start')
  await expect.poll(() => existsSync(join(workspace, 'new.txt')), { timeout: 20_000 }).toBe(true)
  writeFileSync(join(workspace, 'new.txt'), 'by a person\n')
  await page.goto(`${url}/log?call=${written.call}`)
  await page.getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('alertdialog')
  const force = dialog.getByRole('checkbox', { name: /Restore all the same/ })
  await expect
    .poll(
      async () => {
        if ((await force.count()) === 0) await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
        return force.count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('by a person\n')
  await force.check()
  await expect.poll(() => dialog.getByRole('button', { name: 'Undo', exact: true }).isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => existsSync(join(workspace, 'new.txt')), { timeout: 20_000 }).toBe(false)
}, 60_000)
