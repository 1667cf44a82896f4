import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { activeButton, openScriptedApp, openWebApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const ended = /^(Replied|Done),/

test('@ names a file of the workspace, by keyboard alone; what a rule hides or git ignores is not offered', async () => {
  const app = await openWebApp({
    files: { 'shop/cart.py': 'x\n', 'build/cart.js': 'x\n', '.env': 'KEY=1\n', '.gitignore': 'build/\n' },
  })
  const { page, url } = app
  await page.goto(`${url}/new`)
  await page.getByLabel('First message').waitFor()
  await page.keyboard.type('read @crt')
  const options = page.getByRole('option')
  await expect.poll(() => options.allInnerTexts()).toEqual(['shop/cart.py'])
  expect(await page.getByLabel('First message').getAttribute('aria-activedescendant')).toBeTruthy()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('First message').inputValue()).toBe('read @shop/cart.py ')
  await page.keyboard.type('and @en')
  await expect.poll(() => page.getByText('No file matches').count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByText('No file matches').count()).toBe(0)
  expect(app.errors).toEqual([])
})

test('model and mode are switched in a session, and the answer is asked for again in a copy', async () => {
  const app = await openScriptedApp([{ text: 'First answer.' }, { text: 'Second answer.' }])
  const { page } = app
  await startSession(app, 'say something')
  await expect.poll(() => page.getByText('First answer.').count()).toBe(1)
  const first = page.url()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await expect.poll(() => page.url()).not.toBe(first)
  await expect.poll(() => page.getByText('Second answer.').count()).toBe(1)
  expect(await page.getByText('First answer.').count()).toBe(0)
  await page.getByRole('button', { name: /^Mode,/ }).click()
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click()
  await page.getByRole('button', { name: /^Model,/ }).click()
  await page.getByRole('option', { name: /^demo/ }).click()
  const details = page.getByRole('complementary', { name: 'Session details' })
  await expect.poll(() => details.innerText()).toMatch(/Model\s+demo\s+Mode\s+plan/)
  await page.getByLabel('Message', { exact: true }).fill('write new.txt with "x"')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-state=blocked]').count()).toBe(1)
})

test('what Haft tells a model that repeats itself is a notice of Haft; trying again sends the message of the person', async () => {
  const app = await openScriptedApp([{ calls: [{ name: 'read_file', arguments: { path: 'README.md' } }] }])
  const { page } = app
  await startSession(app, 'read it')
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await expect.poll(() => transcript.innerText()).toMatch(/Stopped: the model repeated itself/)
  expect(await transcript.innerText()).toMatch(/Haft told the model: You have made the same calls/)
  expect(await page.locator('.you').allInnerTexts()).toEqual(['read it'])
  const first = page.url()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.url()).not.toBe(first)
  await expect.poll(() => page.locator('.you').allInnerTexts()).toEqual(['read it'])
})

test('tokens, context and cost of a session are shown; reasoning is folded; Markdown of the model stays harmless', async () => {
  const text = [
    'Look: **bold** <script>document.title = "taken"</script> <img src=x onerror="document.title=1">',
    '![pixel](http://127.0.0.1:9/pixel.png) [a](javascript:alert(1)) [b](data:text/html,x) \u001b[2Jcleared\u202e',
    '',
    '```python',
    'def total(): return 1',
    '```',
  ].join('\n')
  const app = await openScriptedApp([{ reasoning: 'I think first.', text, usage: { input: 2_000, output: 500 } }])
  const { page, url } = app
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await startSession(app, 'go')
  await expect.poll(() => page.locator('.prose strong').allInnerTexts()).toEqual(['bold'])
  const details = page.getByRole('complementary', { name: 'Session details' })
  await expect.poll(() => details.innerText()).toMatch(/2\.0k in, 500 out[\s\S]*Cost\s+0\.30/)
  await expect.poll(() => page.locator('.prose .code span[style]').count()).toBeGreaterThan(2)
  expect(await page.getByText('I think first.').count()).toBe(0)
  await page.getByRole('button', { name: /^Thought for \d+(\.\d)? m?s$/ }).click()
  await expect.poll(() => page.getByText('I think first.').count()).toBe(1)
  expect(await page.locator('main img, main script, a[href^=javascript], a[href^="data:"]').count()).toBe(0)
  expect(await page.locator('.prose').innerText()).toContain('\\u{1b}[2Jcleared\\u{202e}')
  expect(await page.title()).not.toMatch(/taken|^1$/)
  expect(asked.filter((one) => !one.startsWith(url))).toEqual([])
  expect(app.errors).toEqual([])
})

test('the files that a session changed are listed with their diffs, and undone together', async () => {
  const app = await openWebApp()
  const { page, workspace } = app
  await startSession(app, 'run echo more >> README.md')
  await activeButton(app, /^Approve/).click()
  const details = page.getByRole('complementary', { name: 'Session details' })
  await expect.poll(() => details.innerText()).toMatch(/Changed files\s+README\.md\s+\+1 −0/)
  await details.getByRole('button', { name: /README\.md/ }).click()
  await expect.poll(() => page.getByRole('dialog').getByLabel('Diff').innerText()).toMatch(/\+\s*more/)
  await page.getByRole('button', { name: 'Close' }).click()
  await details.getByRole('button', { name: 'Undo all of this session…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => readFileSync(join(workspace, 'README.md'), 'utf8')).not.toContain('more')
})

test('an agent works in a nested session, and its approval is answered inside', async () => {
  const call = (name: string, given: object, id: string) => ({ id, name, arguments: given })
  const app = await openScriptedApp([
    { text: 'I will ask an agent.', calls: [call('spawn_agent', { task: 'Remove the readme' }, 'a')] },
    { text: 'It is <b>old</b> and unused.', calls: [call('delete_file', { path: 'README.md' }, 'b')] },
    { text: 'The readme is gone.' },
    { text: 'All done.' },
  ])
  const { page } = app
  await startSession(app, 'tidy up')
  const nested = page.locator('[data-call]').filter({ hasText: 'spawn_agent' }).locator('.nest')
  await nested.locator('[data-approval]').waitFor({ timeout: 60_000 })
  await expect
    .poll(() => nested.locator('[data-approval] .quote').innerText())
    .toBe('The model says: “It is <b>old</b> and unused.” Its words, not checked.')
  await activeButton(app, /^Approve/).click()
  await expect.poll(() => page.getByText('All done.').count(), { timeout: 60_000 }).toBe(1)
  await nested.getByRole('button', { name: 'Show the agent’s work' }).click()
  await expect.poll(() => nested.innerText()).toMatch(/delete_file[\s\S]*The readme is gone\./)
})

test('what a tool asks the app to open is answered here, and the call ends with it', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'open README.md')
  await activeButton(app, /^Approve/).click()
  const asked = page.getByRole('region', { name: 'Request of a tool' })
  await expect.poll(() => asked.innerText()).toMatch(/asks you to open\s+README\.md/)
  await asked.getByRole('button', { name: 'I opened it' }).click()
  await expect.poll(() => asked.count()).toBe(0)
  await expect.poll(() => page.locator('[data-call][data-state=done]').count()).toBe(1)
})

test('a question of a tool is a form in its call, and its answer goes to the model', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'ask me which file to read')
  await expect.poll(() => page.title()).toMatch(/^\(1\) /)
  await page.getByLabel(/which file to read/).fill('notes.md')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect.poll(() => page.getByText('You answered “notes.md”').count()).toBe(1)
  await expect.poll(() => page.title()).not.toMatch(/^\(/)
})

test('S2.5 a port that a background command listens on is a link, until the task ends', async () => {
  const given = { command: 'python3 -m http.server 8123', background: true, ports: [8123] }
  const app = await openScriptedApp([{ calls: [{ name: 'shell', arguments: given }] }, { text: 'It runs.' }])
  const { page } = app
  await startSession(app, 'serve this folder')
  await activeButton(app, /^Approve/).click()
  const link = page.getByRole('link', { name: 'Open port 8123' })
  await link.waitFor({ timeout: 60_000 })
  const address = (await link.getAttribute('href')) ?? ''
  // The port is open before the command listens.
  const load = () =>
    fetch(address).then(
      (response) => response.text(),
      () => '',
    )
  await expect.poll(load).toContain('README.md')
  await page.locator('[data-call]').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => link.count()).toBe(0)
})

test('a message sent while the model works joins the run, and Stop ends it', async () => {
  const app = await openWebApp()
  const { page } = app
  await startSession(app, 'run sleep 300')
  await page.locator('[data-state=running]').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('list files')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.you').count()).toBe(2)
  await page.getByRole('button', { name: /^Stop/ }).click()
  await expect.poll(() => page.locator('[data-state=cancelled]').count()).toBeGreaterThan(0)
  await expect
    .poll(() =>
      page
        .getByText(ended)
        .or(page.getByText(/^Stopped by you/))
        .count(),
    )
    .toBeGreaterThan(0)
})
