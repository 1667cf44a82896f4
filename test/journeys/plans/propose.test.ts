import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEMO_PLAN } from '../../../src/core/plans/demo-plan.ts'
import { type ApprovalRequest, type Home, openHome } from '../../../src/index.ts'
import { openGrants } from '../../../src/settings/grants/grants-file.ts'
import { done, type JobTurn, jobModel, write } from '../../support/job-model.ts'
import { type ScriptedReply, scriptedModel } from '../../support/scripted-model.ts'

let root = ''
let home: Home

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-propose-')))
  home = await openHome({ home: join(root, 'home') })
})
afterAll(async () => {
  await home.close()
  rmSync(root, { recursive: true, force: true })
})

/** A session whose model proposes a plan, and whose sub-agents reply by job. */
async function propose(given: {
  readonly plan: unknown
  readonly reply: (turn: JobTurn) => ScriptedReply
  readonly tools?: readonly string[]
  answer(request: ApprovalRequest): Promise<unknown>
}) {
  const workspace = mkdtempSync(join(root, 'w-'))
  const host = await home.host(workspace)
  const asked: ApprovalRequest[] = []
  const approver = {
    name: 'test',
    async ask(request: ApprovalRequest) {
      asked.push(request)
      return (await given.answer(request)) as { approved: true }
    },
  }
  const jobs = jobModel(given.reply)
  const own = scriptedModel([
    { calls: [{ name: 'propose_plan', arguments: { plan: given.plan } }] },
    { text: 'started' },
  ])
  const model = {
    ...jobs,
    stream: (request: Parameters<typeof jobs.stream>[0]) =>
      (request.messages.some(({ content }) => content.includes('## Your job: ')) ? jobs : own).stream(request),
  }
  const session = await host.session({ approver, ...(given.tools && { tools: given.tools }) })
  const end = await session.send('Please plan.', { model })
  await host.close()
  return { workspace, session, asked, own, end, model }
}

const PLAN = {
  goal: 'The goal.',
  jobs: [
    { id: 'a', prompt: 'x', check: 'test -e a.txt' },
    { id: 'b', prompt: 'x' },
  ],
}

test('a model proposes a plan; approving an edited one starts that, returns its id at once, and its end is told to the session', async () => {
  const edited = { ...PLAN, jobs: [{ ...PLAN.jobs[0], check: 'test -e edited.txt' }] }
  const { workspace, session, asked, own, model } = await propose({
    plan: PLAN,
    reply: ({ turn }) => (turn === 0 ? write('edited.txt', 'x') : done('x')),
    answer: async () => ({ approved: true, modifiedArgs: { plan: edited } }),
  })
  expect(asked[0]).toMatchObject({
    tool: 'propose_plan',
    summary: { sentence: expect.stringContaining('plan of 2 jobs') },
  })
  expect(asked[0]?.preview?.text).toContain('1. a: x\n   check: test -e a.txt')
  const [plan] = await home.plans.list({ workspace })
  const view = await home.plans.rest(plan?.id ?? '')
  expect(view).toMatchObject({ state: 'completed', madeIn: session.id, plan: edited })
  const told = own.requests[1]?.messages.find(({ role }) => role === 'tool')?.content
  expect(told).toContain(`The plan was approved and runs as ${plan?.id}`)
  await expect
    .poll(async () => (await session.events()).find(({ type }) => type === 'plan-report'))
    .toMatchObject({ plan: plan?.id, state: 'completed', text: '1 of 1 job done.' })
  await session.send('And?', { model })
  const last = own.requests.at(-1)?.messages.map(({ content }) => content)
  expect(last).toContain(`[Plan ${plan?.id} is completed. 1 of 1 job done.]`)
})

test('a plan that is not valid is told to the model before a person is asked; a no starts nothing', async () => {
  const wrong = await propose({
    plan: { goal: 'x', jobs: [{ id: 'a', prompt: 'x', dependsOn: ['b'], tools: ['shell'] }] },
    reply: () => done('x'),
    tools: ['read_file'],
    answer: async () => ({ approved: true }),
  })
  expect(wrong.asked).toEqual([])
  const told = wrong.own.requests[1]?.messages.find(({ role }) => role === 'tool')?.content
  expect(told).toMatch(/INVALID_ARGUMENTS.*there is no tool "shell".*there is no job "b"/s)
  const denied = await propose({ plan: PLAN, reply: () => done('x'), answer: async () => ({ approved: false }) })
  expect(await home.plans.list({ workspace: denied.workspace })).toEqual([])
})

test('S0.13 jobs of a proposed plan have the tools of the session that proposed it', async () => {
  const offered: (readonly string[])[] = []
  const { workspace } = await propose({
    plan: '# Goal\n\n- [ ] one job\n',
    tools: ['read_file'],
    reply({ request }) {
      offered.push(request.tools.map(({ name }) => name))
      return done('x')
    },
    answer: async () => ({ approved: true }),
  })
  const [plan] = await home.plans.list({ workspace })
  expect((await home.plans.rest(plan?.id ?? ''))?.state).toBe('completed')
  expect(offered[0]).toContain('read_file')
  expect(offered[0]).not.toContain('shell')
})

test.for([
  ['job', 2, [1, 0]],
  ['plan', 1, [2]],
] as const)(
  'a grant within a %s holds for all of its sub-agents and nowhere else, and its uses are right when the plan ends',
  async ([within, questions, uses]) => {
    const workspace = mkdtempSync(join(root, 'w-'))
    writeFileSync(join(workspace, 'a.txt'), '0')
    const asked: string[] = []
    const approver = {
      name: 'test',
      async ask({ session, grants }: ApprovalRequest) {
        asked.push(session)
        expect(grants.map(({ scope }) => scope.kind)).toContain('folder')
        return { approved: true, grant: { scope: 'folder', within } } as const
      },
    }
    let count = 0
    const model = jobModel(({ turn }) => (turn === 0 ? write('a.txt', String(++count)) : done('x')))
    const check = 'test "$(cat a.txt)" -ge 2'
    const plan = {
      goal: 'x',
      jobs: [
        { id: 'a', prompt: 'x', check },
        { id: 'b', prompt: 'x', dependsOn: ['a'] },
      ],
    }
    const started = await home.plans.start({ workspace, plan, model, approver })
    if (!('rest' in started)) throw new Error(started.text)
    const view = await started.rest
    expect(view.state).toBe('completed')
    // Job a takes two tries, the second of which is covered.
    expect(view.jobs[0]?.iterations).toHaveLength(2)
    expect(asked).toHaveLength(questions)
    // As another process reads them.
    const grants = (await openGrants(join(root, 'home')).list()).filter((one) => one.workspace === workspace)
    expect(grants.map(({ used }) => used)).toEqual(uses)
    const [grant] = grants
    const agent = view.jobs[0]?.iterations[0]?.agent ?? ''
    expect(agent.startsWith(`${grant?.session}.`)).toBe(true)
    const host = await home.host(workspace)
    const elsewhere = await host.check(
      'write_file',
      { path: 'a.txt', content: 'x' },
      { session: `${agent.split('.')[0]}9.1.1` },
    )
    expect(elsewhere.decision).toBe('ask')
    await host.close()
  },
)

test('the demo plan runs with the demo model, takes two tries for one job, and is the one in examples', async () => {
  expect(parse(readFileSync(join(import.meta.dirname, '../../../examples/plan.yaml'), 'utf8'))).toEqual(DEMO_PLAN)
  const workspace = mkdtempSync(join(root, 'w-'))
  const started = await home.plans.start({ workspace, plan: DEMO_PLAN })
  if (!('rest' in started)) throw new Error(started.text)
  const view = await started.rest
  expect(view).toMatchObject({ state: 'completed', text: '3 of 3 jobs done.' })
  expect(view.jobs.map(({ iterations }) => iterations.length)).toEqual([1, 2, 1])
  expect(existsSync(join(workspace, 'plan-demo/notes.txt'))).toBe(true)
})
