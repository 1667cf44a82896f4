import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { done, jobModel } from '../../support/job-model.ts'
import { planHome } from '../../support/plan-home.ts'

const { home, newWorkspace, start } = planHome()

test('one active plan for each workspace, paused or running: a second start is CONFLICT, and stop makes room', async () => {
  const { rest, again, workspace, caller, id } = await start({
    plan: { jobs: [{ id: 'a', prompt: 'x', check: 'false', maxIterations: 1 }] },
    reply: () => done('x'),
  })
  const plan = { goal: 'Another.', jobs: [{ id: 'z', prompt: 'x' }] }
  const second = () => home().plans.start({ workspace, plan, ...caller })
  expect(await second()).toMatchObject({ ok: false, code: 'CONFLICT', details: { plan: id } })
  await rest
  expect(await second()).toMatchObject({ ok: false, code: 'CONFLICT' })
  expect(await again({ action: 'stop' })).toMatchObject({ state: 'cancelled' })
  const third = await second()
  if (isFailure(third)) throw new Error(third.text)
  expect((await third.rest).state).toBe('completed')
})

test('two starts at once: one runs, the other is CONFLICT', async () => {
  const workspace = newWorkspace()
  const model = jobModel(() => done('x'))
  const plan = { goal: 'x', jobs: [{ id: 'a', prompt: 'x' }] }
  const both = await Promise.all([1, 2].map(() => home().plans.start({ workspace, plan, model })))
  expect(both.filter(isFailure)).toHaveLength(1)
  await Promise.all(both.map((one) => (isFailure(one) ? undefined : one.rest)))
})

test('the mode of a plan only narrows that of its starter', async () => {
  const modeOf = async (mode: 'ask' | 'edit', asked: string) => {
    const plan = { goal: 'x', mode: asked, jobs: [{ id: 'a', prompt: 'x' }] }
    const started = await home().plans.start({
      workspace: newWorkspace(),
      plan,
      mode,
      model: jobModel(() => done('x')),
    })
    return isFailure(started) ? started.text : (await started.rest).mode
  }
  expect(await modeOf('ask', 'auto')).toBe('ask')
  expect(await modeOf('edit', 'ask')).toBe('ask')
})

test('a check that a rule denies, an unknown tool and a cycle are refused before anything runs', async () => {
  const workspace = newWorkspace()
  const file = join(workspace, 'plan.yaml')
  const plan = `goal: x\njobs:\n  - id: a\n    prompt: x\n    check: rm -rf /\n    tools: [raed_file]\n`
  await expect(home().plans.start({ workspace, plan, file })).rejects.toThrow(
    /plan\.yaml:6:13: a: there is no tool "raed_file"; did you mean read_file\?\n.*plan\.yaml:5:12: a: the check may not run: .*Blocked by rule/s,
  )
  expect(await home().plans.list({ workspace })).toEqual([])
})
