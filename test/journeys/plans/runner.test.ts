import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFailure } from '../../../src/core/call/result.ts'
import { type Home, openHome } from '../../../src/index.ts'
import { done, type JobTurn, jobModel, write } from '../../support/job-model.ts'
import type { ScriptedReply } from '../../support/scripted-model.ts'

let root = ''
let home: Home
let count = 0

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-plans-')))
  home = await openHome({ home: join(root, 'home') })
})
afterAll(async () => {
  await home.close()
  rmSync(root, { recursive: true, force: true })
})

/** An empty workspace. */
function newWorkspace(): string {
  return mkdtempSync(join(root, `w${++count}-`))
}

interface Given {
  readonly workspace?: string
  readonly plan: object
  reply(turn: JobTurn): ScriptedReply | Promise<ScriptedReply>
}

/** Starts a plan with a model that replies by job, every request approved. */
async function start({ workspace = newWorkspace(), plan, reply }: Given) {
  const model = jobModel(reply)
  const caller = { model, decision: 'allow', by: 'test' } as const
  const started = await home.plans.start({ workspace, plan: { goal: 'The goal.', ...plan }, ...caller })
  if (isFailure(started)) throw new Error(started.text)
  const { id, rest } = started
  const act: typeof home.plans.act = (id, order) => home.plans.act(id, { ...caller, ...order })
  const again = async (order: Parameters<typeof act>[1]) => {
    const acted = await act(id, order)
    if (isFailure(acted)) throw new Error(acted.text)
    return acted.rest
  }
  return { id, rest, again, model, workspace, caller }
}

const states = (view: { readonly jobs: readonly { readonly id: string; readonly state: string }[] }) =>
  view.jobs.map(({ id, state }) => `${id} ${state}`)

test('S0.13 jobs run in the order of their dependencies, each by a fresh sub-agent that is told the results before', async () => {
  const seen: string[] = []
  const { rest, workspace, id } = await start({
    plan: {
      jobs: [
        { id: 'last', prompt: 'Write last.', dependsOn: ['first', 'second'] },
        { id: 'second', prompt: 'Write second.', dependsOn: ['first'], files: ['second.txt'] },
        { id: 'first', prompt: 'Write first.' },
      ],
    },
    reply({ job, turn, prompt, request }) {
      if (turn === 0) {
        seen.push(job)
        // Fresh: nothing but the system prompt and what this job is told.
        expect(request.messages.filter(({ role }) => role !== 'system')).toHaveLength(1)
        expect(prompt).toContain('The goal.')
        expect(prompt.includes('report of first')).toBe(job !== 'first')
        expect(prompt.includes('report of second')).toBe(job === 'last')
        expect(prompt.includes('- second.txt')).toBe(job === 'second')
        return write(`${job}.txt`, job)
      }
      return done(`report of ${job}`)
    },
  })
  const view = await rest
  expect(view).toMatchObject({ state: 'completed', text: '3 of 3 jobs done.' })
  expect(seen).toEqual(['first', 'second', 'last'])
  expect(readFileSync(join(workspace, 'last.txt'), 'utf8')).toBe('last')
  // Sub-agents are sessions of the plan, and the plan is no conversation of its own.
  const agents = await home.sessions({ parent: id })
  expect(agents.map(({ session }) => session).sort()).toEqual(view.jobs.map((job) => job.iterations[0]?.agent).sort())
  expect((await home.sessions({ workspace })).map(({ session }) => session)).not.toContain(id)
})

test('S0.13 tools per plan and per job: a job gets its own, else those of the plan, and nothing else can be called', async () => {
  const offered = new Map<string, readonly string[]>()
  const { rest, workspace } = await start({
    plan: {
      tools: ['read_file', 'list_directory', 'spawn_agent'],
      jobs: [
        { id: 'own', prompt: 'x', tools: ['write_file'] },
        { id: 'plan', prompt: 'x' },
      ],
    },
    reply({ job, turn, request }) {
      offered.set(
        job,
        request.tools.map(({ name }) => name),
      )
      if (job === 'plan' && turn === 0) return write('not-allowed.txt', 'x')
      return done('ok')
    },
  })
  expect((await rest).state).toBe('completed')
  expect(offered.get('own')).toContain('write_file')
  expect(offered.get('own')).not.toContain('read_file')
  expect(offered.get('plan')).toEqual(expect.arrayContaining(['read_file', 'list_directory']))
  expect(offered.get('plan')).not.toContain('write_file')
  expect(offered.get('plan')).not.toContain('spawn_agent')
  expect(existsSync(join(workspace, 'not-allowed.txt'))).toBe(false)
})

test('a model that lies three times does not end a job: the check decides, and its output is told to the next try', async () => {
  const prompts: string[] = []
  const { rest, workspace } = await start({
    plan: {
      jobs: [{ id: 'honest', prompt: 'Write yes to a.txt.', check: 'grep yes a.txt || { echo not there; exit 3; }' }],
    },
    reply({ turn, prompt }) {
      if (turn === 0) prompts.push(prompt)
      if (prompts.length <= 3) return done('All done, I promise.')
      return turn === 0 ? write('a.txt', 'yes\n') : done('really')
    },
  })
  const view = await rest
  expect(view.state).toBe('completed')
  const [job] = view.jobs
  expect(job?.iterations.map(({ outcome, exitCode }) => [outcome, exitCode])).toEqual([
    ...Array.from({ length: 3 }, () => ['failed', 3]),
    ['passed', 0],
  ])
  expect(prompts).toHaveLength(4)
  expect(prompts[0]).not.toContain('not there\n')
  expect(prompts[3]).toContain('not there')
  expect(prompts[3]).toContain('All done, I promise.')
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('yes\n')
})

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
  expect(await home.plans.act(id, { action: 'retry', job: 'a' })).toMatchObject({ ok: false, code: 'CONFLICT' })
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

test('one active plan for each workspace, paused or running: a second start is CONFLICT, and stop makes room', async () => {
  const { rest, again, workspace, caller, id } = await start({
    plan: { jobs: [{ id: 'a', prompt: 'x', check: 'false', maxIterations: 1 }] },
    reply: () => done('x'),
  })
  const plan = { goal: 'Another.', jobs: [{ id: 'z', prompt: 'x' }] }
  const second = () => home.plans.start({ workspace, plan, ...caller })
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
  const both = await Promise.all([1, 2].map(() => home.plans.start({ workspace, plan, model })))
  expect(both.filter(isFailure)).toHaveLength(1)
  await Promise.all(both.map((one) => (isFailure(one) ? undefined : one.rest)))
})

/** A model's reply that comes only when the run is stopped. */
function hang({ request }: JobTurn): Promise<ScriptedReply> {
  return new Promise((_, reject) =>
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true }),
  )
}

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
  expect(await home.plans.get(id)).toMatchObject({ state: 'paused', isHeld: false })
  expect((await home.sessions({ parent: id })).map(({ state }) => state)).toEqual(['idle'])
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
    const started = await home.plans.start({ workspace, plan, model, approver })
    if (isFailure(started)) throw new Error(started.text)
    return started
  })()
  const view = await rest
  expect(view).toMatchObject({ state: 'paused', pause: { job: 'a' } })
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('old')
  const calls = await home.log.calls({ session: view.jobs[0]?.iterations[0]?.agent ?? '' })
  expect(calls.find(({ tool }) => tool === 'write_file')?.outcome).toBe('DENIED')
  expect((await home.approvals.list()).filter(({ request }) => request.session.startsWith(id))).toEqual([])
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
  const resumed = await home.plans.act(first.id, { action: 'resume', ...first.caller })
  if (isFailure(resumed)) throw new Error(resumed.text)
  await expect.poll(async () => (await home.plans.get(first.id))?.jobs[0]?.state).toBe('running')
  await home.plans.act(first.id, { action: 'skip', job: 'a' })
  await expect.poll(() => hanging.has('b')).toBe(true)
  isHanging = false
  const stopped = await first.again({ action: 'stop' })
  expect(stopped.state).toBe('cancelled')
  expect(states(stopped)).toEqual(['a skipped', 'b cancelled'])
  expect((await home.sessions({ parent: first.id })).map(({ state }) => state)).toEqual(['idle', 'idle'])
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

test('a model that cannot be reached fails the job at once', async () => {
  const { rest, model } = await start({
    plan: { jobs: [{ id: 'a', prompt: 'x', check: 'true' }] },
    reply: () => ({ error: 'the server is away' }),
  })
  expect((await rest).pause?.text).toContain('the sub-agent failed: the server is away')
  expect(model.requests).toHaveLength(1)
})

test('all changes of a job are undone as one, those of its check and its other jobs apart', async () => {
  const { rest, workspace, id } = await start({
    plan: {
      jobs: [
        { id: 'a', prompt: 'x', check: 'echo checked >> log.txt; test -e two.txt', maxIterations: 2 },
        { id: 'b', prompt: 'x' },
      ],
    },
    reply({ job, turn, prompt }) {
      if (turn > 0) return done('x')
      if (job === 'b') return write('b.txt', 'b')
      return write(prompt.includes('What came of the last try') ? 'two.txt' : 'one.txt', 'x')
    },
  })
  expect((await rest).state).toBe('completed')
  const files = () => ['one.txt', 'two.txt', 'log.txt', 'b.txt'].filter((file) => existsSync(join(workspace, file)))
  expect(files()).toEqual(['one.txt', 'two.txt', 'log.txt', 'b.txt'])
  const host = await home.host(workspace)
  const calls = await home.plans.undoable(id, 'a')
  expect(await host.undo(calls, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(files()).toEqual(['b.txt'])
  expect(await home.plans.undoable(id, 'a')).toEqual([])
  await host.close()
})

test('the mode of a plan only narrows that of its starter', async () => {
  const modeOf = async (mode: 'ask' | 'edit', asked: string) => {
    const plan = { goal: 'x', mode: asked, jobs: [{ id: 'a', prompt: 'x' }] }
    const started = await home.plans.start({ workspace: newWorkspace(), plan, mode, model: jobModel(() => done('x')) })
    return isFailure(started) ? started.text : (await started.rest).mode
  }
  expect(await modeOf('ask', 'auto')).toBe('ask')
  expect(await modeOf('edit', 'ask')).toBe('ask')
})

test('a check that a rule denies, an unknown tool and a cycle are refused before anything runs', async () => {
  const workspace = newWorkspace()
  const file = join(workspace, 'plan.yaml')
  const plan = `goal: x\njobs:\n  - id: a\n    prompt: x\n    check: rm -rf /\n    tools: [raed_file]\n`
  await expect(home.plans.start({ workspace, plan, file })).rejects.toThrow(
    /plan\.yaml:6:13: a: there is no tool "raed_file"; did you mean read_file\?\n.*plan\.yaml:5:12: a: the check may not run: .*Blocked by rule/s,
  )
  expect(await home.plans.list({ workspace })).toEqual([])
})
