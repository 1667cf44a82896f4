import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { activeButton, openScriptedApp, startSession } from '../../support/web/web-app.ts'

// A browser on a busy machine is slow; what holds ends at once.
vi.setConfig({ testTimeout: 180_000 })

const PLAN = {
  goal: 'The file is there.',
  jobs: [
    { id: 'make', prompt: 'Make the file.', check: 'test -e never.txt', maxIterations: 1 },
    { id: 'needless', prompt: 'Nobody needs this.', dependsOn: ['make'] },
  ],
}

test('S0.13 a plan is proposed, edited, started, pauses at a failed check, gets feedback and finishes', async () => {
  const app = await openScriptedApp([
    { text: 'I propose this.', calls: [{ name: 'propose_plan', arguments: { plan: PLAN } }] },
    { calls: [{ name: 'task_complete', arguments: { summary: 'It is done.' } }] },
  ])
  const { page, workspace, server } = app
  await startSession(app, 'Please plan.')
  const card = page.locator('[data-approval]')
  await card.getByRole('button', { name: /Change…/ }).click()
  await card.getByLabel('Check: the command that decides whether it is done').first().fill('test -e there.txt')
  await card.getByRole('button', { name: 'Remove needless' }).click()
  // The card shows the changed plan once it is checked.
  await expect.poll(() => card.getByRole('heading').first().innerText()).toMatch(/1 job/)
  await activeButton(app, /^Approve/).click()

  // The sub-agent says that it is done; the check decides.
  await page.getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('link', { name: /The file is there/ }).click()
  const paused = page.getByText(/^Paused\./)
  await expect.poll(() => paused.innerText()).toMatch(/make failed/)
  expect(await page.getByRole('table').innerText()).toMatch(/test -e there\.txt/)
  expect(await page.getByRole('table').innerText()).not.toMatch(/needless/)
  expect(existsSync(join(workspace, 'there.txt'))).toBe(false)

  writeFileSync(join(workspace, 'there.txt'), '')
  await page.getByRole('button', { name: 'Send feedback…' }).click()
  await page.getByLabel('Feedback for the next try').fill('Look at the folder first.')
  await page.getByRole('button', { name: 'Send and resume' }).click()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).locator('..').innerText()).toMatch(/completed/)
  expect(await page.getByText(/1 of 1 jobs? done/).innerText()).toMatch(/2 tries/)
  expect(JSON.stringify(server.chats().at(-1))).toContain('Look at the folder first.')
  expect(app.errors).toEqual([])
})
