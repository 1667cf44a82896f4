import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { done, hang, type JobTurn, jobModel, write } from '../../support/job-model.ts'
import { planHome, states } from '../../support/plan-home.ts'

const { home, newWorkspace, start } = planHome()

test('a job that hangs is ended at its time limit and pauses the plan; nothing is left running', async () => {
  const { rest, id } = await start({
    plan: {
      jobs: [
        { id: 'slow', prompt: 'x', timeout: 1 },
        { id: 'b', prompt: 'x' },
      ],
    },
    reply: (turn) => hang(turn),
  })
  const view = await rest
  expect(view.pause?.text).toBe('Job slow failed: it took longer than its limit of 1 s.')
  expect(await home().plans.get(id)).toMatchObject({ state: 'paused', isHeld: false })
  expect((await home().sessions({ parent: id })).map(({ state }) => state)).toEqual(['stopped'])
})

test('a check that hangs is ended at its own limit and counts as a failed try', async () => {
  const { rest } = await start({
    plan: { jobs: [{ id: 'a', prompt: 'x', check: 'echo begun; sleep 600', checkTimeout: 1, maxIterations: 1 }] },
    reply: () => done('x'),
  })
  const view = await rest
  expect(states(view)).toEqual(['a failed'])
  expect(view.jobs[0]?.iterations[0]).toMatchObject({ outcome: 'failed', text: 'the check did not end within 1 s' })
  expect(view.jobs[0]?.iterations[0]?.output).toContain('begun')
})

test('a person who says no to every approval: nothing is changed, and the plan is paused', async () => {
  const workspace = newWorkspace()
  writeFileSync(join(workspace, 'a.txt'), 'old')
  const { rest, id } = await (async () => {
    const model = jobModel(({ turn }) => (turn === 0 ? write('a.txt', 'new') : done('they said no')))
    const plan = { goal: 'x', jobs: [{ id: 'a', prompt: 'x', check: 'grep new a.txt', maxIterations: 2 }] }
    const approver = { name: 'test', ask: async () => ({ approved: false, reason: 'no' }) as const }
    const started = await home().plans.start({ workspace, plan, model, approver })
    if (isFailure(started)) throw new Error(started.text)
    return started
  })()
  const view = await rest
  expect(view).toMatchObject({ state: 'paused', pause: { job: 'a' } })
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('old')
  const calls = await home().log.calls({ session: view.jobs[0]?.iterations[0]?.agent ?? '' })
  expect(calls.find(({ tool }) => tool === 'write_file')?.outcome).toBe('DENIED')
  expect((await home().approvals.list()).filter(({ request }) => request.session.startsWith(id))).toEqual([])
})

test('limits of steps and tokens hold for a job and for the plan', async () => {
  const reply = ({ turn }: JobTurn) => ({
    calls: [{ name: 'list_directory', arguments: { path: '.', recursive: turn % 2 === 0 } }],
  })
  const steps = await start({ plan: { jobs: [{ id: 'a', prompt: 'x', maxSteps: 3, maxIterations: 9 }] }, reply })
  expect((await steps.rest).pause?.text).toBe('Job a failed: its limit of 3 steps is used up.')
  expect(steps.model.requests).toHaveLength(3)
  // A scripted reply takes 15 tokens.
  const tokens = await start({ plan: { jobs: [{ id: 'a', prompt: 'x', maxTokens: 20, maxIterations: 9 }] }, reply })
  expect((await tokens.rest).pause?.text).toBe('Job a failed: its limit of 20 tokens is used up.')
  expect(tokens.model.requests).toHaveLength(2)
  const whole = await start({
    plan: {
      maxTokens: 40,
      jobs: [
        { id: 'a', prompt: 'x' },
        { id: 'b', prompt: 'x' },
      ],
    },
    reply: ({ job, turn }) => (job === 'a' ? done('x') : reply({ turn } as JobTurn)),
  })
  const view = await whole.rest
  expect(view).toMatchObject({ state: 'failed', text: 'Stopped by a limit: its limit of 40 tokens is used up.' })
  expect(states(view)).toEqual(['a completed', 'b pending'])
})
