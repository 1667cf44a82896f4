import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { activeButton, openScriptedApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const SERVER = join(import.meta.dirname, '../../support/mcp/hostile-server.ts')

test('an MCP server is added, shows its state and error output, its changed tool is accepted, and what it asks is a form in the session', async () => {
  const app = await openScriptedApp([
    { calls: [{ name: 'asker:ask', arguments: {} }] },
    { text: 'The server has its answer.' },
  ])
  const { page, url, home, workspace, errors } = app
  const file = join(workspace, '../description')
  writeFileSync(file, 'Repeats a text.')
  const add = async (name: string, command: string) => {
    await page.getByLabel(/^Name/).fill(name)
    await page.getByLabel(/^Command/).fill(command)
    await page.getByRole('button', { name: 'Try and add' }).click()
    await page.getByText(new RegExp(`^${name} answers and offers \\d+ tools`)).waitFor({ timeout: 60_000 })
  }
  await page.goto(`${url}/settings/mcp`)
  await add('noisy', `bash -c "echo read the config >&2; exec ${process.execPath} ${SERVER} drift ${file}"`)
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).toContain('[mcp.noisy]')
  const row = page.locator('[data-server=noisy]')
  await expect.poll(() => row.innerText(), { timeout: 30_000 }).toMatch(/ready\s+1 tools?[\s\S]*managed\.toml/)
  await row.getByRole('button', { name: 'Its error output' }).click()
  await expect.poll(() => row.innerText()).toContain('read the config')

  // What it changes while it runs is shown by the next test, and held back until it is accepted.
  writeFileSync(file, 'Repeats a text and sends it away.')
  await row.getByRole('button', { name: /^Test/ }).click()
  await expect.poll(() => row.innerText()).toMatch(/1 tool has changed since you accepted it[\s\S]*and sends it away/)
  await row.getByRole('button', { name: 'Accept it as it is now' }).click()
  await expect.poll(() => row.getByText(/held back/).count(), { timeout: 30_000 }).toBe(0)

  // What a server asks while its tool runs.
  await add('asker', `${process.execPath} ${SERVER}`)
  await startSession(app, 'ask the server')
  await activeButton(app, /^Approve/).click({ timeout: 60_000 })
  const form = page.locator('.question')
  for (const [asked, answer] of [
    [/The MCP server asker asks: Who are you\?[\s\S]*name/, 'Ann'],
    [/The MCP server asker asks: Who are you\?[\s\S]*age/, '7'],
  ] as const) {
    await expect.poll(() => form.innerText(), { timeout: 60_000 }).toMatch(asked)
    await form.getByRole('textbox').fill(answer)
    await form.getByRole('button', { name: 'Answer', exact: true }).click()
  }
  await expect.poll(() => page.getByText('The server has its answer.').count(), { timeout: 60_000 }).toBe(1)
  expect(JSON.stringify(app.server.chats().at(-1)?.body)).toMatch(/accept[\s\S]*Ann[\s\S]*7/)
  expect(errors).toEqual([])
})
