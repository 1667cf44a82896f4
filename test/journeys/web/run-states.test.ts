import { expect, test, vi } from 'vitest'
import { openScriptedApp, openWebApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const listing = (path: string) => ({ calls: [{ id: path, name: 'list_directory', arguments: { path } }] })

test('a run that reached its limit is listed as cut off, and Go on continues it without a message', async () => {
  const app = await openScriptedApp([listing('.'), listing('./'), { text: 'All done.' }], {
    settings: { 'managed.toml': '[run]\nmax_steps = 2\n' },
  })
  const { page } = app
  await startSession(app, 'look around')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect.poll(() => sidebar.getByRole('link', { name: /^look around\s*, cut off$/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect.poll(() => page.getByText('All done.').count()).toBe(1)
  await expect.poll(() => sidebar.getByRole('link', { name: /^look around\s*, done$/ }).count()).toBe(1)
  expect(await page.locator('.you').allInnerTexts()).toEqual(['look around'])
  expect(await page.getByRole('button', { name: 'Go on' }).count()).toBe(0)
  expect(app.errors).toEqual([])
})

test('a run that failed or was stopped is listed as what it is, in the sidebar and on the first page', async () => {
  const app = await openWebApp({
    settings: {
      'settings.toml':
        'model = "gone"\n[models.gone]\nprovider = "openai"\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"\n',
    },
  })
  const { page } = app
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await startSession(app, 'this fails')
  await expect
    .poll(() => sidebar.getByRole('link', { name: /^this fails\s*, failed$/ }).count(), { timeout: 60_000 })
    .toBe(1)
  await page.goto(`${app.url}/`)
  await expect.poll(() => page.getByRole('region', { name: 'Sessions' }).innerText()).toMatch(/this fails\s+failed/)
})

test('a run whose server was killed is interrupted, not at work for ever, and Go on continues it', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'run sleep 30')
  await page.locator('[data-state=running]').waitFor()
  await app.kill()
  await app.restart()
  await expect.poll(() => page.getByText('Connected', { exact: true }).count(), { timeout: 60_000 }).toBe(1)
  await expect.poll(() => page.getByText('Interrupted: the process that ran this has ended').count()).toBe(1)
  expect(await page.getByRole('button', { name: /^Stop/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect.poll(() => page.getByText(/^(Replied|Done),/).count(), { timeout: 60_000 }).toBe(1)
  await expect.poll(() => page.getByText(/^Interrupted/).count()).toBe(0)
})

test('a session shows that its sub-agent waits for a person: in the list, in its header and in place of the spinner', async () => {
  const app = await openScriptedApp([
    { calls: [{ name: 'spawn_agent', arguments: { task: 'Remove the readme' } }] },
    { calls: [{ name: 'delete_file', arguments: { path: 'README.md' } }] },
    { text: 'Done.' },
  ])
  const { page } = app
  await startSession(app, 'tidy up')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect.poll(() => sidebar.getByRole('link', { name: /^tidy up\s*, waiting for you$/ }).count()).toBe(1)
  await expect.poll(() => page.locator('.top').innerText()).toMatch(/waiting for you/)
  await expect.poll(() => page.getByText('A sub-agent waits for you.').count()).toBe(1)
  expect(await page.getByText('The model works').count()).toBe(0)
})
