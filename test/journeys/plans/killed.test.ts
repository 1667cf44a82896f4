import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Home, openHome } from '../../../src/index.ts'

const WORKER = join(import.meta.dirname, '../../support/plan-worker.ts')
const KILLS = 50

let root = ''
let home: Home

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-killed-plans-')))
  home = await openHome({ home: join(root, 'home'), toolFolders: false })
})
afterAll(async () => {
  await home.close()
  rmSync(root, { recursive: true, force: true })
})

interface Ended {
  readonly isKilled: boolean
  readonly state?: string
  readonly code?: string
  readonly events?: number
}

/** Runs the worker until it ends or kills itself. */
function work(workspace: string, plan = '', kill: readonly [at: number, delay: number] = [0, 0]): Promise<Ended> {
  const args = [WORKER, join(root, 'home'), workspace, plan, ...kill.map(String)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  return new Promise((resolve) =>
    child.on('close', (_, signal) => resolve({ isKilled: signal === 'SIGKILL', ...(said !== '' && JSON.parse(said)) })),
  )
}

/** The plan of a workspace; empty where it was killed before the plan was in the log. */
async function planOf(workspace: string): Promise<string> {
  return (await home.plans.list({ workspace }))[0]?.id ?? ''
}

/** Checks that a plan came to its end, each job done once. */
async function expectDone(workspace: string): Promise<void> {
  expect(readFileSync(join(workspace, 'done.txt'), 'utf8')).toBe('a\nb\nc\n')
  const id = await planOf(workspace)
  const view = await home.plans.get(id)
  expect(view).toMatchObject({ state: 'completed', isHeld: false })
  const events = await home.log.read({ session: id })
  for (const job of ['a', 'b', 'c']) {
    const own = events.filter((event) => 'job' in event && event.job === job)
    const ends = own.filter(({ type }) => type === 'job-end')
    expect(ends).toHaveLength(1)
    expect(own.at(-1)).toBe(ends[0])
  }
  expect(events.filter(({ type }) => type === 'plan-end')).toHaveLength(1)
  // A sub-agent that was broken off goes on, and one that had ended is not asked again.
  for (const { iterations } of view?.jobs ?? []) {
    expect(iterations).toHaveLength(1)
    const own = await home.log.read({ session: iterations[0]?.agent ?? '' })
    expect(own.filter((event) => event.type === 'run-end' && event.reason === 'complete')).toHaveLength(1)
  }
}

/** The programs that still run in a workspace. */
function programsIn(workspace: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return command.includes(workspace) ? [command] : []
      } catch {
        return []
      }
    })
}

test('kill -9 at 50 random moments: resume goes on at the job, no completed job is done again, nothing is left running', async () => {
  const first = mkdtempSync(join(root, 'w-'))
  const whole = await work(first)
  expect(whole).toMatchObject({ isKilled: false, state: 'completed' })
  await expectDone(first)
  const most = whole.events ?? 0
  let kills = 0
  // Two at a time, each with workspaces of its own.
  const killUntilDone = async (): Promise<void> => {
    while (kills < KILLS) {
      const workspace = mkdtempSync(join(root, 'w-'))
      for (;;) {
        // A part of the events of a whole run, so that most plans are killed several times on their way.
        const at = 1 + Math.floor((Math.random() * most) / 3)
        const delay = Math.random() < 0.5 ? 0 : Math.random() * 20
        const ended = await work(workspace, await planOf(workspace), kills < KILLS ? [at, delay] : [0, 0])
        if (ended.isKilled) kills++
        else {
          // One that was killed after the last commit has nothing to go on with.
          expect(ended.state ?? ended.code).toMatch(/completed|CONFLICT/)
          break
        }
      }
      await expectDone(workspace)
      expect(programsIn(workspace)).toEqual([])
    }
  }
  await Promise.all([killUntilDone(), killUntilDone()])
  expect(kills).toBeGreaterThanOrEqual(KILLS)
}, 300_000)

test('two processes resume one plan: one runs it, the other follows, each job is done once', async () => {
  const workspace = mkdtempSync(join(root, 'w-'))
  // The worker dies with its first job under way.
  expect(await work(workspace, '', [8, 0])).toEqual({ isKilled: true })
  const plan = await planOf(workspace)
  expect(await home.plans.get(plan)).toMatchObject({ state: 'running', isHeld: false })
  const both = await Promise.all([work(workspace, plan), work(workspace, plan)])
  for (const ended of both)
    expect(ended.state === 'completed' || ended.code === 'CONFLICT', JSON.stringify(ended)).toBe(true)
  await expectDone(workspace)
  const runs = (await home.log.read({ session: plan })).filter(({ type }) => type === 'plan-run')
  expect(runs).toHaveLength(2)
}, 60_000)
