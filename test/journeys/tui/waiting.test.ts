import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { haft } from '../../support/built-program.ts'
import { openTui } from '../../support/tui.ts'

test('requests of other sessions are counted, opened and answered here', async () => {
  const tui = await openTui({ files: { 'a.txt': 'a', 'b.txt': 'b' } })
  const other = haft(tui.program, ['run', '--model', 'demo', '--wait', 'delete a.txt'])
  // Nothing is asked here yet, so that the count is not one of "more".
  await tui.waitFor(/1 waiting \(\/approvals\)/)
  expect(tui.hasRung()).toBe(true)
  tui.send('delete b.txt')
  await tui.card()
  await tui.waitFor(/1 more waiting/)
  tui.press('n')
  await tui.waitFor(/1 waiting \(\/approvals\)/)
  tui.send('/approvals')
  await tui.waitFor(/Waiting for you[\s\S]*> Delete a\.txt/)
  tui.press('Enter')
  await tui.card()
  tui.press('y')
  expect((await other).stderr).toContain('✓ delete_file')
})

test('a question of another session is listed, opened and answered here', async () => {
  const tui = await openTui()
  const { program } = tui
  const other = haft(program, ['run', '--model', 'demo', '--wait', 'ask me which colour'])
  await expect
    .poll(async () => (await haft(program, ['approvals'])).stdout, { timeout: 20_000 })
    .toContain('which colour')
  tui.send('/approvals')
  await tui.waitFor(/Waiting for you[\s\S]*> which colour/)
  tui.press('Enter')
  await tui.waitFor(/\? which colour[\s\S]*enter answer/)
  tui.type('blue')
  await tui.waitFor(/answer › blue/)
  tui.press('Enter')
  expect((await other).stdout).toContain('blue')
})

test('S0.13 the approval of a job offers a grant for the job and for the plan', async () => {
  const tui = await openTui({ files: { 'a.txt': 'a', 'b.txt': 'b' } })
  const { program } = tui
  const jobs = [
    { id: 'first', prompt: 'write a.txt with 1' },
    { id: 'second', prompt: 'write b.txt with 2' },
  ]
  writeFileSync(join(program.workspace, 'plan.json'), JSON.stringify({ goal: 'Two files.', model: 'demo', jobs }))
  const plan = haft(program, ['plan', 'plan.json', '--wait'])
  await tui.waitFor(/1 waiting \(\/approvals\)/)
  tui.send('/approvals')
  await tui.waitFor(/Waiting for you[\s\S]*> Change 1 line in a\.txt/)
  tui.press('Enter')
  await tui.card()
  tui.press('a')
  await tui.waitFor(/Approve from now on/)
  tui.type('anything in')
  tui.press('Enter')
  const limits = await tui.waitFor(/For how long/)
  expect(limits).toMatch(/in this job of the plan, every try/)
  tui.press('Down', 'Down')
  await tui.waitFor(/> in this plan, every job/)
  tui.press('Enter')
  const ended = await plan
  expect(ended.stdout + ended.stderr).toContain('2 of 2 jobs done.')
  expect((await haft(program, ['approvals', 'grants'])).stdout).toMatch(/in session j_\S+, used 1 time,/)
})
