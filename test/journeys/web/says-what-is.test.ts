import { expect, test } from 'vitest'
import { clientOf } from '../../support/web/use-app.ts'
import { activeButton, openWebApp, startSession } from '../../support/web/web-app.ts'

const UNDESCRIBED = `TOOL_SPECS = [{
  "name": "double", "description": "Doubles a number.", "handler": lambda n: n * 2,
  "parameters": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]},
}]
`

test('a server that failed is named where MCP servers are chosen, before the list is opened; a tool with a warning is not counted as skipped', async () => {
  const { page, url, home } = await openWebApp({
    settings: {
      'settings.toml': '[mcp.gone]\ncommand = "no-such-program-anywhere"\n',
      'tools/double.py': UNDESCRIBED,
      'tools/broken.py': 'TOOL_SPECS = [\n',
    },
  })
  await page.goto(`${url}/new`)
  const picker = (name: RegExp) => page.getByRole('button', { name })
  await expect.poll(() => picker(/^MCP servers/).innerText(), { timeout: 30_000 }).toMatch(/1\/1\s+selected\s+1 failed/)
  await expect.poll(() => picker(/^Local tools/).innerText()).toMatch(/1\/1\s+selected\s+1 broken/)
  await page.goto(`${url}/settings/tools`)
  const folder = page.locator(`[data-folder="${home}/tools"]`)
  await expect.poll(() => folder.innerText(), { timeout: 30_000 }).toContain('1 tool, 1 skipped')
})

test('the story of a call names what decided it: a rule, the tool itself, or the default for its effect', async () => {
  const app = await openWebApp()
  const { page, url } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'list_directory', arguments: { path: '.' } })
  await client.callTool({ name: 'shell', arguments: { command: 'cat .env' } })
  await page.goto(`${url}/log`)
  const rows = page.getByRole('list', { name: /^Calls/ }).getByRole('button')
  const story = page.getByRole('complementary', { name: 'Story of the call' })
  await rows.nth(1).click()
  await expect
    .poll(() => story.innerText())
    .toMatch(/Valid, judged: allowed by default, for calls with the effect read[\s\S]*It changes nothing\./)
  await rows.nth(0).click()
  await expect.poll(() => story.innerText()).toMatch(/Valid, judged: blocked by rule no_secret_reading/)
})

test('a session that asks the person something says in its heading that it waits for the person', async () => {
  const app = await openWebApp()
  await startSession(app, 'ask me which file to read')
  await expect.poll(() => app.page.locator('.p-session .top').innerText()).toContain('waiting for you')
  await app.page.locator('.question').getByRole('textbox').fill('README.md')
  await app.page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect.poll(() => app.page.locator('.p-session .top').innerText()).not.toContain('waiting for you')
})

test('a card in the inbox has its effects at the same distance from its edge as its sentence', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'delete README.md')
  await activeButton(app, /^Approve/).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Inbox/ }).click()
  await page.locator('.p-inbox [data-approval] .eff').waitFor()
  const left = async (selector: string) => (await page.locator(`[data-approval] ${selector}`).boundingBox())?.x
  expect(await left('.eff')).toBe(await left('.well'))
})
