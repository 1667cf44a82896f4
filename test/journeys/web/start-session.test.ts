import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openWebApp } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const tool = (
  name: string,
  description: string,
) => `{"name": "${name}", "description": "${description}", "handler": lambda: "${name}",
  "parameters": {"type": "object", "properties": {}}}`

const WEATHER = `TOOL_SPECS = [${tool('get_weather', 'Weather now at a place.')}, ${tool('get_forecast', 'Forecast for seven days.')}]\n`

test('S0.9 the dropdown of local tools: all selected at first, search, select and deselect all, a badge, broken files with their reason', async () => {
  const { page, url } = await openWebApp({
    settings: { 'tools/weather.py': WEATHER, 'tools/stock.py': 'def stock(sku)\n    return 1\n' },
  })
  await page.goto(`${url}/new`)
  const picker = page.getByRole('button', { name: /^Local tools/ })
  await expect.poll(() => picker.innerText()).toMatch(/2\/2/)
  await picker.click()
  const list = page.getByRole('dialog', { name: 'Local tools' })
  await expect.poll(() => list.innerText()).toMatch(/Weather now at a place\./)
  expect(await list.innerText()).toMatch(/stock\.py could not be loaded[\s\S]*line 1:.*SyntaxError/)
  await list.getByRole('button', { name: 'Deselect all' }).click()
  await expect.poll(() => picker.innerText()).toMatch(/0\/2/)
  await list.getByRole('checkbox', { name: /get_forecast/ }).check()
  await expect.poll(() => picker.innerText()).toMatch(/1\/2/)
  await list.getByLabel('Search local tools').fill('weather')
  await expect.poll(() => list.getByRole('checkbox').count()).toBe(1)
  await list.getByRole('button', { name: 'Select all', exact: true }).click()
  await expect.poll(() => picker.innerText()).toMatch(/2\/2/)
})

test('S0.4 a Python file that is saved, changed and deleted shows in the dropdown while it is open', async () => {
  const { page, url, home } = await openWebApp()
  await page.goto(`${url}/new`)
  await page.getByRole('button', { name: /^Local tools/ }).click()
  const list = page.getByRole('dialog', { name: 'Local tools' })
  await expect.poll(() => list.innerText()).toMatch(/Put a \.py file/)
  mkdirSync(join(home, 'tools'), { recursive: true })
  writeFileSync(join(home, 'tools/weather.py'), WEATHER)
  await expect.poll(() => list.getByRole('checkbox').count(), { timeout: 60_000 }).toBe(2)
  writeFileSync(join(home, 'tools/weather.py'), WEATHER.replace('Weather now', 'The weather'))
  await expect.poll(() => list.innerText(), { timeout: 60_000 }).toMatch(/The weather at a place/)
  unlinkSync(join(home, 'tools/weather.py'))
  await expect.poll(() => list.getByRole('checkbox').count(), { timeout: 60_000 }).toBe(0)
})

test('S0.10 S0.11 the selection is stored with the first message: shown, locked, and the model can call nothing else', async () => {
  const { page, url, workspace } = await openWebApp()
  await page.goto(`${url}/new`)
  await page.getByRole('button', { name: /^Built-in tools/ }).click()
  const list = page.getByRole('dialog', { name: 'Built-in tools' })
  await list.getByRole('button', { name: 'Deselect all' }).click()
  await list.getByRole('checkbox', { name: /^read_file/ }).check()
  await page.keyboard.press('Escape')
  await page.getByLabel('First message').fill('write new.txt with "x"')
  await page.getByRole('button', { name: 'Start session' }).click()
  const locked = page.getByRole('button', { name: /^Tools: 1\// })
  await locked.waitFor()
  await locked.click()
  const tools = page.getByRole('dialog', { name: 'Tools' })
  await expect.poll(() => tools.getByRole('checkbox', { name: /^read_file/ }).isDisabled()).toBe(true)
  expect(await tools.getByRole('checkbox', { name: /^write_file/ }).isChecked()).toBe(false)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByText(/Replied|Done/).count()).toBeGreaterThan(0)
  await expect.poll(() => page.locator('[data-call][data-state=done]').count()).toBe(0)
  expect(() => unlinkSync(join(workspace, 'new.txt'))).toThrow()
})

const EVERYTHING = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

test('S0.9 S0.10 each MCP server is one row with its state; one that is deselected stays out of the session', async () => {
  const settings = `[mcp.everything]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(EVERYTHING)}, "stdio"]

[mcp.gone]
command = "no-such-program"
`
  const { page, url } = await openWebApp({ settings: { 'settings.toml': settings } })
  await page.goto(`${url}/new`)
  const picker = page.getByRole('button', { name: /^MCP servers/ })
  await expect.poll(() => picker.innerText()).toMatch(/2\/2/)
  await picker.click()
  const list = page.getByRole('dialog', { name: 'MCP servers' })
  await expect.poll(() => list.innerText(), { timeout: 60_000 }).toMatch(/gone\s+.*not found[\s\S]*failed/)
  await list.getByRole('checkbox', { name: /^gone/ }).click()
  await expect.poll(() => picker.innerText()).toMatch(/1\/2/)
  await page.keyboard.press('Escape')
  await page.getByLabel('First message').fill('list files')
  await page.getByRole('button', { name: 'Start session' }).click()
  const locked = page.getByRole('button', { name: /^MCP servers: 1\/2/ })
  await locked.click()
  await expect.poll(() => page.getByRole('checkbox', { name: /^gone/ }).isChecked()).toBe(false)
  expect(await page.getByRole('checkbox', { name: /^everything/ }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: /^everything/ }).isDisabled()).toBe(true)
})

test('a first start teaches: no model is found, the demo runs with one click', async () => {
  const { page } = await openWebApp()
  await expect.poll(() => page.getByRole('heading', { name: /No model found/ }).count()).toBe(1)
  await page.getByRole('button', { name: /^list files/ }).click()
  await expect.poll(() => page.locator('[data-call][data-state=done]').count()).toBe(1)
  await expect.poll(() => page.getByRole('link', { name: /list files\s*, done/ }).count()).toBe(1)
})

test('a session is started, renamed, found and deleted from the page', async () => {
  const { page, url } = await openWebApp()
  await page.getByRole('button', { name: /^list files/ }).click()
  await expect.poll(() => page.getByText(/Replied|Done/).count()).toBeGreaterThan(0)
  await page.goto(url)
  await page.getByRole('button', { name: 'More for list files' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('What is here')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('link', { name: /What is here\s*, done/ }).count()).toBe(1)
  await page.getByLabel('Search sessions').fill('what here')
  await expect.poll(() => page.locator('[data-session]').count()).toBe(1)
  await page.getByRole('button', { name: 'More for What is here' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => page.locator('[data-session]').count()).toBe(0)
})

test('the control tools that come with a selection are named where it is made and where it is locked, and can be left out', async () => {
  const app = await openWebApp({ settings: { 'tools/weather.py': WEATHER } })
  const { page, url } = app
  const start = async (isOnly: boolean) => {
    await page.goto(`${url}/new`)
    await page.getByText(/^With the control tools, .*ask_user.*task_complete/).waitFor()
    if (isOnly) await page.getByRole('checkbox', { name: /^With the control tools/ }).uncheck()
    await page.getByLabel('First message').fill('help')
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByText(/^(Replied|Done),/).waitFor()
  }
  const details = page.getByRole('complementary', { name: 'Session details' })
  await start(false)
  await expect.poll(() => details.innerText()).toMatch(/Always\s+\d+ control tools/)
  expect(await details.getByTitle(/ask_user/).count()).toBe(1)
  const count = Number(/(\d+)\/\1 /.exec((await details.innerText()).replaceAll('\n', ' '))?.[1])
  expect(count).toBeGreaterThan(1)
  await expect.poll(() => page.locator('.status').innerText()).toContain(`${count} tools in this session`)
  // A tool that is added later is no tool of this session.
  writeFileSync(join(app.home, 'tools/later.py'), `TOOL_SPECS = [${tool('later', 'Came later.')}]\n`)
  const other = await app.openTab('/tools')
  await other.getByText('later', { exact: true }).first().waitFor({ timeout: 60_000 })
  await page.reload()
  await expect.poll(() => details.innerText()).toMatch(new RegExp(`${count}/${count}`))
  await start(true)
  await expect.poll(() => details.innerText()).toMatch(/\d+\/\d+/)
  expect(await details.innerText()).not.toContain('ask_user')
  expect(app.errors).toEqual([])
})
