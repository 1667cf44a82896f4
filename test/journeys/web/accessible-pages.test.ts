import { expect, test } from 'vitest'
import { violationsInAllLooks } from '../../support/web/axe.ts'
import { clientOf } from '../../support/web/use-app.ts'
import { openWebApp } from '../../support/web/web-app.ts'

test('axe finds nothing on tools, tasks, log, rules and settings: light and dark, 1440 and 390 wide', {
  timeout: 180_000,
}, async () => {
  const app = await openWebApp({
    browser: { bypassCSP: true },
    files: { '.haft/settings.toml': '[[rules]]\nname = "mine"\ndecision = "allow"\nwrites = ["docs/**"]\n' },
    settings: { 'tools/stock.py': 'def stock(:\n    pass\n' },
  })
  const { page, url } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })
  const blocked = await client.callTool({ name: 'shell', arguments: { command: 'rm -rf /' }, detached: true })
  const task = await client.callTool({
    ...{ name: 'shell', arguments: { command: 'echo out', background: true }, detached: true },
  })
  if (!('call' in blocked) || !('call' in task)) throw new Error('the calls did not start')
  const found: Record<string, readonly string[]> = {}
  const look = async (path: string, ready: string) => {
    await page.goto(`${url}${path}`)
    await page.locator(ready).first().waitFor({ timeout: 30_000 })
    const here = await violationsInAllLooks(page)
    if (here.length > 0) found[path] = here
  }
  await look('/tools', '.rows-scroll li')
  await look('/tools?tool=shell', '.try-acts')
  await look(`/tasks?task=${task.call}`, '.task')
  await look('/tasks', '.rows-scroll li')
  await look('/log', '.rows-scroll li')
  await look(`/log?call=${blocked.call}`, '.tl > li + li')
  await look('/rules', '.rows-scroll li')
  await look('/rules?view=test&tool=shell&args=ls', '.test .trace')
  await look('/rules?view=write', '.cond')
  await look('/settings', '.li')
  for (const [section, ready] of [
    ['models', '#models-h'],
    ['mcp', '.sub-form'],
    ['tools', '#folders-h'],
    ['machine', '.found li'],
    ['values', '.values'],
  ])
    await look(`/settings/${section}`, ready ?? '')
  await page.goto(`${url}/rules`)
  await page.getByRole('button', { name: 'Review and trust…' }).click()
  await page.getByRole('alertdialog').waitFor()
  const dialog = await violationsInAllLooks(page)
  if (dialog.length > 0) found.dialog = dialog
  expect(found).toEqual({})
})
