import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { agentsOfPlan } from '../../../src/core/plans/agent-ids.ts'
import { clientOf } from '../../support/web/use-app.ts'
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

test('the output of a check shows while the check runs, and Stop ends the plan', async () => {
  const app = await openScriptedApp([{ calls: [{ name: 'task_complete', arguments: { summary: 'It is done.' } }] }])
  const { page, url } = app
  const check = 'echo looks at the file; sleep 600'
  const client = await clientOf(app)
  const { plan } = await client.startPlan({ plan: { goal: 'Wait.', jobs: [{ id: 'wait', prompt: 'Wait.', check }] } })
  await page.goto(`${url}/plans/${plan.id}`)
  const tries = page.getByRole('region', { name: 'Tries' })
  await expect.poll(() => tries.innerText()).toMatch(/the check runs[\s\S]*running\s+looks at the file/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).locator('..').innerText()).toMatch(/cancelled/)
  await expect.poll(() => tries.innerText()).not.toMatch(/the check runs/)
  expect(app.errors).toEqual([])
})

test('a grant for this job holds for its tries only, one for this plan for every job', async () => {
  const remove = (path: string) => ({ calls: [{ name: 'delete_file', arguments: { path } }] })
  const complete = { calls: [{ name: 'task_complete', arguments: { summary: 'It is done.' } }] }
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.txt`)
  const [a, b, c, d, e, f] = files.map(remove)
  const replies = [a, b, complete, c, d, complete, e, f, complete].flatMap((reply) => reply ?? [])
  const app = await openScriptedApp(replies, { files: Object.fromEntries(files.map((file) => [file, ''])) })
  const { page, url, workspace } = app
  const client = await clientOf(app)
  const jobs = ['first', 'second', 'third'].map((id) => ({ id, prompt: `Delete two files: ${id}.` }))
  const { plan } = await client.startPlan({ plan: { goal: 'No files.', jobs } })
  await page.goto(`${url}/inbox`)
  const card = page.locator('[data-approval]')
  const grant = async (file: string, limit: RegExp) => {
    await card.getByRole('heading', { name: `Delete ${file}` }).waitFor()
    await activeButton(app, /^Approve/).waitFor()
    await page.keyboard.press('a')
    await card.getByRole('radiogroup', { name: 'Do not ask again for' }).getByRole('radio').last().click()
    await card.getByRole('radio', { name: limit }).click()
    await activeButton(app, /^Approve and remember/).click()
  }
  await grant('a.txt', /^this job of the plan/)
  // b.txt is covered; the next job asks again.
  await grant('c.txt', /^this plan, every job/)
  await expect.poll(async () => (await client.getPlan({ id: plan.id })).plan.state).toBe('completed')
  expect(files.filter((file) => existsSync(join(workspace, file)))).toEqual([])
  const held = async () => (await client.listGrants({})).grants.map(({ session, used }) => [session, used])
  await expect.poll(held).toEqual([
    [`${agentsOfPlan(plan.id)}.1`, 1],
    [agentsOfPlan(plan.id), 3],
  ])
  expect(app.errors).toEqual([])
})
