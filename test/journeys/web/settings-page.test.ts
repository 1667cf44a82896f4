import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startModelServer } from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'
import { FAULT, pretend } from '../../support/web/use-app.ts'
import { openWebApp } from '../../support/web/web-app.ts'

const SETTINGS = `mode = "ask"
[web]
search = "searxng:http://me:hunter2@127.0.0.1:8888/?key=topsecret"
[log]
keep_days = 30
secrets = ["house-[0-9]+"]
[models.work]
provider = "openai"
base_url = "http://127.0.0.1:9/v1"
model = "m"
headers = { "x-key" = "a-secret-header" }
`

test('the settings in force name the file and line that each comes from, and no secret', async () => {
  const { page, url, errors } = await openWebApp({ settings: { 'settings.toml': SETTINGS } })
  const bodies: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/'))
      response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      )
  })
  await page.goto(`${url}/settings/values`)
  const table = page.getByRole('table')
  await expect
    .poll(() => table.innerText(), { timeout: 20_000 })
    .toMatch(/log\.keep_days\s+30\s+settings\.toml, line 5/)
  const text = await table.innerText()
  expect(text).toMatch(/log\.max_mb\s+2000\s+default/)
  expect(text).toMatch(/log\.secrets\s+1 pattern/)
  await page.goto(`${url}/settings/models`)
  await expect.poll(() => page.locator('[data-model=work]').count()).toBe(1)
  expect(bodies.length).toBeGreaterThan(2)
  for (const secret of ['hunter2', 'topsecret', 'house-', 'a-secret-header'])
    expect(bodies.filter((body) => body.includes(secret))).toEqual([])
  expect(errors).toEqual([])
}, 60_000)

test('a model is added, tested and removed; its key is never sent back', async () => {
  const server = await startModelServer({ chats: [openAiReply({ text: 'Here.' })] })
  const { page, url, home } = await openWebApp()
  await page.goto(`${url}/settings/models/new`)
  await page.getByLabel('Address').fill(`${server.url}/v1`)
  await page.getByLabel('Key').fill('a-very-secret-key')
  await page.getByLabel('Model', { exact: true }).fill('tiny')
  await page.getByRole('button', { name: 'Connect and try' }).click()
  await expect.poll(() => page.getByText(/tiny answers in/).count(), { timeout: 30_000 }).toBe(1)
  await page.goto(`${url}/settings/models`)
  const row = page.locator('[data-model=tiny]')
  await row.getByRole('button', { name: 'Test tiny' }).click()
  await expect
    .poll(() => row.innerText(), { timeout: 30_000 })
    .toMatch(/Answers in [\d.]+ s, but it did not call the tool/)
  expect(await page.content()).not.toContain('a-very-secret-key')
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).not.toContain('a-very-secret-key')
  await row.getByRole('button', { name: 'Remove tiny' }).click()
  await expect.poll(() => row.count()).toBe(0)
}, 90_000)

test('a model that does not answer is not connected: the form says what to do, and saves it only when asked to', async () => {
  const { page, url, home } = await openWebApp()
  await page.goto(`${url}/settings/models/new`)
  await page.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await page.getByLabel('Model', { exact: true }).fill('tiny')
  await page.getByRole('button', { name: 'Connect and try' }).click()
  const problem = page.getByRole('alert')
  await expect
    .poll(() => problem.innerText(), { timeout: 60_000 })
    .toMatch(/did not answer[\s\S]*127\.0\.0\.1:9[\s\S]*not saved/)
  expect(await problem.innerText()).toMatch(/Address/)
  expect(await problem.innerText()).not.toMatch(/base_url/)
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).not.toContain('tiny')
  await page.getByRole('button', { name: 'save it anyway' }).click()
  await expect.poll(() => page.getByText('tiny is saved, but it has not answered yet.').count()).toBe(1)
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).toContain('tiny')
}, 90_000)

test('an MCP server that does not answer is not added, and the page says so', async () => {
  const { page, url, errors } = await openWebApp()
  await page.goto(`${url}/settings/mcp`)
  await page.getByLabel(/^Name/).fill('broken')
  await page.getByLabel(/^Command/).fill(`${process.execPath} -e "process.exit(3)"`)
  await page.getByRole('button', { name: 'Try and add' }).click()
  await expect.poll(() => page.getByRole('alert').innerText(), { timeout: 60_000 }).toMatch(/It was not added/)
  expect(errors).toEqual([])
}, 90_000)

test('programs that end without reading what is sent to them do not end Haft: the page goes on', async () => {
  const { page, url, errors } = await openWebApp()
  for (const name of ['first', 'second']) {
    await page.goto(`${url}/settings/mcp`)
    await page.getByLabel(/^Name/).fill(name)
    await page.getByLabel(/^Command/).fill('bash -c "echo broken config >&2; exit 3"')
    await page.getByRole('button', { name: 'Try and add' }).click()
    await expect
      .poll(() => page.getByRole('alert').innerText(), { timeout: 60_000 })
      .toMatch(/broken config[\s\S]*It was not added/)
  }
  await page.goto(`${url}/tools`)
  await page.getByRole('list', { name: /^Tools/ }).waitFor()
  expect(errors).toEqual([])
}, 90_000)

test('a tool folder is added from the page; one that shares files with a workspace is refused with the reason; it is removed again', async () => {
  const { page, url, workspace, home } = await openWebApp({ files: { 'tools/x.py': '' } })
  const folder = join(home, '../person/my-tools')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'hello.py'),
    'def hello():\n    return "hi"\nTOOL_SPECS = [{"name": "hello", "description": "Says hello.", "handler": hello, "parameters": {"type": "object", "properties": {}}}]\n',
  )
  await page.goto(`${url}/settings/tools`)
  await page.getByRole('textbox', { name: /^Folder/ }).fill(join(workspace, 'tools'))
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect
    .poll(() => page.getByRole('alert').innerText())
    .toMatch(/share files, so a model could change the tools[\s\S]*It was not added/)
  await page.getByRole('textbox', { name: /^Folder/ }).fill(folder)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  const row = page.locator(`[data-folder="${folder}"]`)
  await expect.poll(() => row.innerText(), { timeout: 30_000 }).toMatch(/1 tool[\s\S]*managed\.toml/)
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).toContain(folder)
  await row.getByRole('button', { name: /^Remove/ }).click()
  await expect.poll(() => row.count(), { timeout: 20_000 }).toBe(0)
  await page.goto(`${url}/tools?q=hello`)
  await expect.poll(() => page.getByText('No tool matches.').count(), { timeout: 20_000 }).toBe(1)
}, 90_000)

test('this machine: what does not work comes first, with the remedy; a failing server is said; each section has a link', async () => {
  const { page, url } = await openWebApp({ browser: { viewport: { width: 390, height: 844 } } })
  const findings = [
    { what: 'node', holds: true, seen: 'v24' },
    {
      what: 'sandbox',
      holds: false,
      seen: 'bubblewrap (bwrap) is not installed.',
      remedy: 'apt-get install bubblewrap',
    },
  ]
  const forget = await pretend(page, /\/api\/doctor/, 200, { findings })
  await page.goto(`${url}/settings`)
  await page.getByRole('link', { name: /^This machine/ }).click()
  const list = page.locator('.found')
  await expect
    .poll(() => list.innerText(), { timeout: 20_000 })
    .toMatch(/sandbox[\s\S]*not installed[\s\S]*What to do:[\s\S]*apt-get install bubblewrap[\s\S]*node/)
  expect(page.url()).toMatch(/\/settings\/machine$/)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => page.getByRole('link', { name: /^Models/ }).isVisible()).toBe(true)
  await forget()
  await pretend(page, /\/api\/doctor/, 500, FAULT)
  await page.goto(`${url}/settings/machine`)
  await expect.poll(() => page.getByRole('alert').innerText(), { timeout: 20_000 }).toMatch(/findings cannot be loaded/)
}, 60_000)
