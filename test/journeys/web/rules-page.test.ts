import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf, FAULT, pretend } from '../../support/web/use-app.ts'
import { openWebApp } from '../../support/web/web-app.ts'

const OWN = `[[rules]]
name = "no_curl"
forbidden = ["curl"]
reason = "Use web_fetch"
examples = { deny = ['shell {"command":"curl x"}'] }
`

test('rules are listed by layer with their examples, as they are in a mode; a call is tested and the page says why', async () => {
  const { page, url, errors } = await openWebApp({ settings: { 'settings.toml': OWN } })
  await page.goto(`${url}/rules`)
  const list = page.getByRole('list', { name: 'Rules and grants' })
  await expect.poll(() => list.innerText()).toMatch(/You[\s\S]*settings\.toml[\s\S]*no_curl[\s\S]*Default/)
  await list.getByRole('button', { name: /no_curl/ }).click()
  await expect.poll(() => list.innerText()).toMatch(/matches\s+shell \{"command":"curl x"\}/)
  await page.getByLabel('Filter rules').fill('mode plan')
  await expect.poll(() => page.getByText('No rule matches.').count()).toBe(1)
  await page.getByLabel('Mode').selectOption('plan')
  await expect.poll(() => list.innerText()).toMatch(/mode plan/)
  await page.getByLabel('Mode').selectOption('ask')
  const side = page.getByRole('complementary', { name: 'Test a call' })
  await side.getByLabel(/^command/).fill('curl https://example.com')
  await expect
    .poll(() => side.innerText(), { timeout: 20_000 })
    .toMatch(/Blocked\.[\s\S]*no_curl[\s\S]*denies: Use web_fetch[\s\S]*Decision: deny/)
  await side.getByLabel('Tool').selectOption('read_file')
  await side.getByLabel(/^path/).fill('README.md')
  await expect.poll(() => side.innerText(), { timeout: 20_000 }).toMatch(/Would run without asking/)
  expect(errors).toEqual([])
}, 60_000)

test('a rule is written with examples, replayed over the last days before it is kept in managed.toml, counts at once, and is removed', async () => {
  const app = await openWebApp({ settings: { 'settings.toml': OWN } })
  const { page, url, home, errors } = app
  const client = await clientOf(app)
  await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })
  await page.goto(`${url}/rules?view=write`)
  const side = page.getByRole('complementary', { name: 'Write a rule' })
  await side.getByLabel(/^Name/).fill('no_readme')
  await side.getByLabel(/^Deny/).check()
  await side.getByLabel('Condition on').selectOption('reads')
  await side.getByLabel(/one a line$/).fill('README.md')
  await side.getByLabel('Examples that it matches').fill('read_file {"path":"other.md"}')
  const keep = side.getByRole('button', { name: 'Keep this rule' })
  expect(await keep.isDisabled()).toBe(true)
  await side.getByRole('button', { name: 'Replay' }).click()
  await expect.poll(() => side.innerText(), { timeout: 20_000 }).toMatch(/the rule does not match it but should/)
  expect(await keep.isDisabled()).toBe(true)
  await side.getByLabel('Examples that it matches').fill('read_file {"path":"README.md"}')
  await side.getByRole('button', { name: 'Replay' }).click()
  await expect
    .poll(() => side.innerText(), { timeout: 20_000 })
    .toMatch(/as expected[\s\S]*1 of 1 calls would be decided differently:[\s\S]*allow[\s\S]*deny[\s\S]*read_file/)
  expect(existsSync(join(home, 'managed.toml'))).toBe(false)
  await keep.click()
  await expect.poll(() => side.innerText()).toMatch(/The rule is in force/)
  expect(readFileSync(join(home, 'managed.toml'), 'utf8')).toMatch(/no_readme[\s\S]*README\.md/)
  expect(readFileSync(join(home, 'settings.toml'), 'utf8')).toBe(OWN)
  expect(await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })).toMatchObject({
    code: 'BLOCKED',
  })
  await page.goto(`${url}/rules?q=no_readme`)
  const list = page.getByRole('list', { name: 'Rules and grants' })
  await expect.poll(() => list.innerText(), { timeout: 20_000 }).toMatch(/no_readme[\s\S]*1 call/)
  await list.getByRole('button', { name: /no_readme/ }).click()
  await list.getByRole('button', { name: 'Remove this rule' }).click()
  await expect.poll(() => page.getByText('No rule matches.').count()).toBe(1)
  expect(await client.callTool({ name: 'read_file', arguments: { path: 'README.md' } })).toMatchObject({ ok: true })
  expect(errors).toEqual([])
}, 90_000)

test('grants are listed with how often they were used, and revoked', async () => {
  const app = await openWebApp({ files: { 'a.txt': 'a\n' } })
  const { page, url } = app
  const client = await clientOf(app)
  const write = () => client.callTool({ name: 'write_file', arguments: { path: 'a.txt', content: 'b\n' } })
  const asked = await write()
  if (!('call' in asked) || !asked.approval) throw new Error('it did not ask')
  await client.answerApproval({ id: asked.approval.id, approved: true, grant: { scope: 'folder', times: 5 } })
  await expect.poll(() => readFileSync(join(app.workspace, 'a.txt'), 'utf8')).toBe('b\n')
  writeFileSync(join(app.workspace, 'a.txt'), 'c\n')
  expect(await write()).toMatchObject({ ok: true })
  await page.goto(`${url}/rules`)
  const list = page.getByRole('list', { name: 'Rules and grants' })
  await expect
    .poll(() => list.innerText(), { timeout: 20_000 })
    .toMatch(/write_file[\s\S]*used [12] times?, [34] of 5 left/)
  await list.getByRole('button', { name: /^Revoke/ }).click()
  await expect.poll(() => list.innerText()).toMatch(/Grants\s+none/)
  writeFileSync(join(app.workspace, 'a.txt'), 'd\n')
  expect(await write()).toMatchObject({ call: expect.any(String) })
}, 60_000)

test('a project is trusted after a look at all of it, and after a change only at what changed', async () => {
  const rule = (name: string) => `[[rules]]\nname = "${name}"\ndecision = "allow"\nwrites = ["docs/**"]\n`
  const app = await openWebApp({ files: { '.haft/settings.toml': rule('free_docs') } })
  const { page, url, workspace } = app
  await page.goto(`${url}/rules`)
  const list = page.getByRole('list', { name: 'Rules and grants' })
  await expect.poll(() => list.innerText(), { timeout: 20_000 }).toMatch(/not trusted[\s\S]*1 setting ignored/)
  await list.getByRole('button', { name: 'Review and trust…' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect.poll(() => dialog.innerText()).toMatch(/settings\.toml[\s\S]*free_docs/)
  await dialog.getByRole('button', { name: 'Trust what is shown' }).click()
  await expect.poll(() => list.innerText(), { timeout: 20_000 }).toMatch(/trusted[\s\S]*free_docs/)
  writeFileSync(
    join(workspace, '.haft/settings.toml'),
    `${rule('free_docs')}\n${rule('new_rule').replace('docs', 'src')}`,
  )
  await page.goto(`${url}/rules`)
  await list.getByRole('button', { name: 'Review and trust…' }).click({ timeout: 20_000 })
  await expect
    .poll(() => dialog.locator('.diff .a').allInnerTexts())
    .toContainEqual(expect.stringContaining('new_rule'))
  expect(await dialog.locator('.diff .a').allInnerTexts()).not.toContainEqual(expect.stringContaining('free_docs'))
}, 60_000)

test('10,000 rules scroll with few rows in the page; on a phone the test is a page of its own; a failing server is said', async () => {
  const { page, url } = await openWebApp({ browser: { viewport: { width: 390, height: 844 } } })
  const rules = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ layer: 'user', source: '/s.toml', isManaged: false, decided: 0 },
    rule: { name: `rule_${index}`, decision: 'ask', reason: 'because' },
  }))
  const forget = await pretend(page, /\/api\/rules/, 200, { mode: 'ask', rules })
  await page.goto(`${url}/rules`)
  const list = page.getByRole('list', { name: 'Rules and grants' })
  await expect.poll(() => list.getByRole('listitem').count(), { timeout: 20_000 }).toBeGreaterThan(5)
  expect(await list.getByRole('listitem').count()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Test a call' }).click()
  await expect.poll(() => page.getByLabel('Tool').isVisible()).toBe(true)
  expect(await list.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => list.isVisible()).toBe(true)
  await forget()
  await pretend(page, /\/api\/rules/, 500, FAULT)
  await page.goto(`${url}/rules`)
  await expect
    .poll(() => page.getByRole('alert').first().innerText(), { timeout: 20_000 })
    .toMatch(/rules cannot be loaded/)
}, 60_000)
