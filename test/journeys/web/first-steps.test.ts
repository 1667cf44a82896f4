import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, startModelServer } from '../../support/model-server/model-server.ts'
import { openAiReply } from '../../support/model-server/scripted-reply.ts'
import { openWebApp } from '../../support/web/web-app.ts'

const GREET = `def greet(name):
    return "Hello " + name
TOOL_SPECS = [{"name": "greet", "description": "Greets a person.", "handler": greet, "parameters":
  {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}]
`

/** Does what the last message asks for, as a model would, and says so once it has the result. */
const answer: Answer = (response, request) => {
  const { messages } = request.body as { readonly messages: readonly { role: string; content: unknown }[] }
  const last = messages.at(-1)
  const asked = last?.role === 'user' ? JSON.stringify(last.content) : ''
  const edit = { name: 'edit_file', arguments: { path: 'README.md', edits: [{ old: 'Hello', new: 'Goodbye' }] } }
  const read = { name: 'read_file', arguments: { path: '.env' } }
  const calls = asked.includes('greeting') ? [edit] : asked.includes('secrets') ? [read] : []
  return openAiReply(calls.length > 0 ? { calls } : { text: 'That is all.' })(response, request)
}

test('a person who never saw a terminal connects a model, adds a Python tool folder, approves an edit, undoes it, and finds out why a call was blocked', async () => {
  const server = await startModelServer({
    chats: [answer],
    metadata: { '/v1/models': { data: [{ id: 'small-model', object: 'model' }] } },
  })
  const app = await openWebApp({ files: { '.env': 'API_KEY=abcdefgh12345678\n' } })
  const { page, workspace, home, errors } = app
  const tools = join(home, '../person/my-tools')
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'greet.py'), GREET)
  const readme = () => readFileSync(join(workspace, 'README.md'), 'utf8')

  // A model: provider, address, and a choice from the list that its server offers.
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('link', { name: 'Connect a model' }).click()
  await page.getByLabel('Address').fill(`${server.url}/v1`)
  await page.getByRole('button', { name: 'Show its models' }).click()
  await expect.poll(() => page.getByText(/1 models? (is|are) offered/).count(), { timeout: 20_000 }).toBe(1)
  await page.getByLabel('Model', { exact: true }).fill('small-model')
  await page.getByRole('button', { name: 'Connect and try' }).click()
  await expect.poll(() => page.getByText(/small-model answers in/).count(), { timeout: 30_000 }).toBe(1)

  // A folder with a Python tool, chosen by clicking.
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('link', { name: /^Tool folders/ }).click()
  await page.getByRole('list', { name: 'Folders' }).getByRole('button', { name: 'my-tools' }).click()
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect.poll(() => page.getByText(/is added/).count(), { timeout: 30_000 }).toBe(1)
  await page.getByRole('link', { name: 'Tools', exact: true }).first().click()
  await page.getByRole('button', { name: /^greet/ }).click({ timeout: 30_000 })
  await page.getByRole('region', { name: 'Try it' }).getByLabel(/^name/).fill('Ann')
  await page.getByRole('button', { name: /^Run/ }).click({ timeout: 30_000 })
  await expect
    .poll(() => page.getByRole('region', { name: 'The call' }).innerText(), { timeout: 30_000 })
    .toMatch(/done/)

  // An edit that waits for a yes.
  await page
    .getByRole('link', { name: /New session/ })
    .first()
    .click()
  await page.getByLabel('First message').fill('Change the greeting')
  await page.getByRole('button', { name: 'Start session' }).click()
  const approve = page.locator('[data-approval] .foot button[aria-disabled=false]', { hasText: 'Approve' }).first()
  await approve.click({ timeout: 30_000 })
  await expect.poll(readme, { timeout: 30_000 }).toMatch(/Goodbye/)

  // Undone, after a look at what would be restored.
  const edited = page.locator('[data-call][data-state=done]').first()
  await edited.getByRole('button', { name: 'Undo this change' }).click({ timeout: 30_000 })
  const dialog = page.getByRole('alertdialog')
  await expect.poll(() => dialog.innerText(), { timeout: 30_000 }).toMatch(/Restores the files[\s\S]*Hello/)
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(readme, { timeout: 30_000 }).toMatch(/Hello/)

  // A call that a rule blocks, and why.
  await page.getByLabel('Message', { exact: true }).fill('Read the secrets')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const blocked = page.locator('[data-call][data-state=blocked]')
  await blocked.getByRole('link', { name: 'Why' }).click({ timeout: 30_000 })
  const story = page.getByRole('complementary', { name: 'Story of the call' })
  await expect
    .poll(() => story.innerText(), { timeout: 30_000 })
    .toMatch(/judged: blocked by rule no_secret_reading[\s\S]*default rules[\s\S]*BLOCKED/)
  expect(errors).toEqual([])
}, 150_000)
