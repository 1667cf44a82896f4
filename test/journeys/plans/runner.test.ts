import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { done, write } from '../../support/job-model.ts'
import { planHome } from '../../support/plan-home.ts'

const { home, start } = planHome()

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
  const agents = await home().sessions({ parent: id })
  expect(agents.map(({ session }) => session).sort()).toEqual(view.jobs.map((job) => job.iterations[0]?.agent).sort())
  expect((await home().sessions({ workspace })).map(({ session }) => session)).not.toContain(id)
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
  const host = await home().host(workspace)
  const calls = await home().plans.undoable(id, 'a')
  expect(await host.undo(calls, { decision: 'allow' })).toMatchObject({ ok: true })
  expect(files()).toEqual(['b.txt'])
  expect(await home().plans.undoable(id, 'a')).toEqual([])
  await host.close()
})
