import { expect, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { done, hang, type JobTurn, write } from '../../support/job-model.ts'
import { planHome, states } from '../../support/plan-home.ts'

const { home, start } = planHome()

test('a job whose iterations are used up pauses the plan; feedback, retry and skip go on; nothing is done twice', async () => {
  const worked: string[] = []
  let isFixed = false
  const plan = {
    jobs: [
      { id: 'a', prompt: 'x' },
      { id: 'b', prompt: 'x', check: 'test -e b.txt', maxIterations: 2, dependsOn: ['a'] },
      { id: 'c', prompt: 'x', dependsOn: ['b'] },
    ],
  }
  const { rest, again, id } = await start({
    plan,
    reply({ job, turn, prompt }) {
      if (turn === 0) worked.push(prompt.includes('use b.txt') ? `${job}!` : job)
      if (job === 'b' && turn === 0 && isFixed) return write('b.txt', 'x')
      return done(job)
    },
  })
  const paused = await rest
  expect(paused).toMatchObject({ state: 'paused', pause: { reason: 'failed', job: 'b' } })
  expect(paused.pause?.text).toBe('Job b failed: its check failed 2 times.')
  expect(states(paused)).toEqual(['a completed', 'b failed', 'c pending'])
  expect((await again({ action: 'retry', job: 'b' })).state).toBe('paused')
  isFixed = true
  const view = await again({ action: 'feedback', text: 'use b.txt' })
  expect(view.state).toBe('completed')
  expect(worked).toEqual(['a', 'b', 'b', 'b', 'b', 'b!', 'c'])
  expect(view.jobs[1]?.iterations.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5])
  // A plan that has ended takes no more requests.
  expect(await home().plans.act(id, { action: 'retry', job: 'a' })).toMatchObject({ ok: false, code: 'CONFLICT' })
})

test('a skipped job is passed over, and the jobs after it are told', async () => {
  let told = ''
  const { rest, again } = await start({
    plan: {
      jobs: [
        { id: 'a', prompt: 'x', check: 'false', maxIterations: 1 },
        { id: 'b', prompt: 'x', dependsOn: ['a'] },
      ],
    },
    reply({ job, prompt }) {
      if (job === 'b') told = prompt
      return done('x')
    },
  })
  await rest
  const view = await again({ action: 'skip' })
  expect(states(view)).toEqual(['a skipped', 'b completed'])
  expect(view.text).toBe('1 of 2 jobs done, 1 skipped.')
  expect(told).toContain('It was skipped by the person and is not done.')
})

test('manual mode pauses after each job, also the last; feedback does it over', async () => {
  const worked: string[] = []
  const { rest, again } = await start({
    plan: {
      manual: true,
      jobs: [
        { id: 'a', prompt: 'x' },
        { id: 'b', prompt: 'x' },
      ],
    },
    reply({ job, prompt }) {
      worked.push(prompt.includes('better') ? `${job}!` : job)
      return done('x')
    },
  })
  expect(await rest).toMatchObject({ state: 'paused', pause: { reason: 'manual', job: 'a' } })
  expect(await again({ action: 'feedback', text: 'better' })).toMatchObject({ pause: { reason: 'manual', job: 'a' } })
  expect(await again({ action: 'resume' })).toMatchObject({ state: 'paused', pause: { job: 'b' } })
  expect((await again({ action: 'resume' })).state).toBe('completed')
  expect(worked).toEqual(['a', 'a!', 'b'])
})

test('stop, pause and skip reach a job that works, and end its sub-agent', async () => {
  const hanging = new Set<string>()
  let isHanging = true
  const reply = (turn: JobTurn) => {
    if (!isHanging) return done('x')
    hanging.add(turn.request.messages.length > 0 ? turn.job : '')
    return hang(turn)
  }
  const plan = {
    jobs: [
      { id: 'a', prompt: 'x' },
      { id: 'b', prompt: 'x' },
    ],
  }
  const first = await start({ plan, reply })
  await expect.poll(() => hanging.has('a')).toBe(true)
  expect(await first.again({ action: 'pause' })).toMatchObject({ state: 'paused', pause: { reason: 'person' } })
  expect(await first.rest).toMatchObject({ state: 'paused' })
  const resumed = await home().plans.act(first.id, { action: 'resume', ...first.caller })
  if (isFailure(resumed)) throw new Error(resumed.text)
  await expect.poll(async () => (await home().plans.get(first.id))?.jobs[0]?.state).toBe('running')
  await home().plans.act(first.id, { action: 'skip', job: 'a' })
  await expect.poll(() => hanging.has('b')).toBe(true)
  isHanging = false
  const stopped = await first.again({ action: 'stop' })
  expect(stopped.state).toBe('cancelled')
  expect(states(stopped)).toEqual(['a skipped', 'b cancelled'])
  expect((await home().sessions({ parent: first.id })).map(({ state }) => state)).toEqual(['stopped', 'stopped'])
})
