import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { isFailure } from '../../src/core/call/result.ts'
import { type Home, openHome } from '../../src/index.ts'
import { type JobTurn, jobModel } from './job-model.ts'
import type { ScriptedReply } from './scripted-model.ts'

interface Given {
  readonly workspace?: string
  readonly plan: object
  reply(turn: JobTurn): ScriptedReply | Promise<ScriptedReply>
}

/** Opens a home for the plans of a test file; it is gone when the file's tests have ended. */
export function planHome() {
  let root = ''
  let opened: Home | undefined
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-plans-')))
    opened = await openHome({ home: join(root, 'home') })
  })
  afterAll(async () => {
    await opened?.close()
    rmSync(root, { recursive: true, force: true })
  })
  const home = () => {
    if (opened === undefined) throw new Error('the home is not open yet')
    return opened
  }
  /** Makes an empty workspace. */
  const newWorkspace = () => mkdtempSync(join(root, 'w-'))
  /** Starts a plan with a model that replies by job, every request approved. */
  const start = async ({ workspace = newWorkspace(), plan, reply }: Given) => {
    const model = jobModel(reply)
    const caller = { model, decision: 'allow', by: 'test' } as const
    const started = await home().plans.start({ workspace, plan: { goal: 'The goal.', ...plan }, ...caller })
    if (isFailure(started)) throw new Error(started.text)
    const { id, rest } = started
    const again = async (order: Parameters<Home['plans']['act']>[1]) => {
      const acted = await home().plans.act(id, { ...caller, ...order })
      if (isFailure(acted)) throw new Error(acted.text)
      return acted.rest
    }
    return { id, rest, again, model, workspace, caller }
  }
  return { home, newWorkspace, start }
}

/** The state of each job, as `id state`. */
export function states(view: { readonly jobs: readonly { readonly id: string; readonly state: string }[] }): string[] {
  return view.jobs.map(({ id, state }) => `${id} ${state}`)
}
