import type { RunEnd } from '../../agent/run/run-session.ts'
import { messageOf } from '../../core/call/result.ts'
import type { Home } from '../home.ts'
import type { Host } from '../host.ts'
import { countWork, type Work } from './count-work.ts'
import type { SuiteTask, TaskReport } from './suite.ts'
import { modelOfTask } from './task-model.ts'
import type { TaskOptions } from './task-options.ts'
import { createTaskWorkspace, type TaskWorkspace } from './task-workspace.ts'
import { verifyTask } from './verify-task.ts'

/** Runs one task in a workspace and a session of its own, and verifies it. Never rejects. */
export async function runTask(
  task: SuiteTask,
  openHome: () => Promise<Home>,
  options: TaskOptions,
): Promise<TaskReport> {
  const started = performance.now()
  const workspace = createTaskWorkspace(task.name)
  const done: Done = { state: 'failed', reason: '' }
  try {
    const home = await openHome()
    const unfollow = options.onEvent ? home.on(options.onEvent) : undefined
    try {
      Object.assign(done, await runIn(home, { task, workspace, options }))
    } finally {
      unfollow?.()
      await home.close()
    }
  } catch (thrown) {
    Object.assign(done, { state: 'failed', reason: messageOf(thrown) })
  }
  if (!options.keep) workspace.remove()
  return {
    ...{ task: task.name, model: options.model, ...NO_WORK, ...done },
    seconds: (performance.now() - started) / 1_000,
    ...(options.keep && { workspace: workspace.path }),
  }
}

const NO_WORK: Work = { steps: 0, repairs: 0, tokens: 0, isEstimated: false, cost: 0 }

type Done = Pick<TaskReport, 'state' | 'reason' | 'session' | 'output'> & Partial<Work>

interface Running {
  readonly task: SuiteTask
  readonly workspace: TaskWorkspace
  readonly options: TaskOptions
}

async function runIn(home: Home, { task, workspace, options }: Running): Promise<Done> {
  const host = await home.host(workspace.path)
  const missing = findMissing(task, host)
  if (missing.length > 0) return { state: 'not run', reason: `needs ${missing.join(', ')}` }
  workspace.fill(task.files)
  const before = await verifyTask(task, host, options.signal)
  if (options.signal.aborted) return STOPPED
  if (before.state === 'not run') return { state: 'failed', reason: before.reason }
  if (before.state === 'passed') return { state: 'failed', reason: SHOWS_NOTHING }
  workspace.fill(task.files)
  const session = await host.session({
    ...(task.tools && { tools: task.tools }),
    mode: options.mode ?? task.mode ?? 'edit',
    model: options.model,
    ...(options.yes && { decision: 'allow', by: '--yes' }),
  })
  const model = await modelOfTask(home.models, task.name, options)
  const time = AbortSignal.timeout(task.timeLimit * 1_000)
  const end = await session.send(task.prompt, {
    model,
    signal: AbortSignal.any([options.signal, time]),
    ...(task.maxSteps !== undefined && { maxSteps: task.maxSteps }),
  })
  const known = { session: session.id, ...(await countWork(home.log, session.id)) }
  if (options.signal.aborted) return { ...known, ...STOPPED }
  const failed = whyNotVerified(end, time.aborted ? task.timeLimit : undefined)
  if (failed !== undefined) return { ...known, state: 'failed', reason: failed }
  const { state, reason, output } = await verifyTask(task, host, options.signal)
  if (options.signal.aborted) return { ...known, ...STOPPED }
  if (state === 'passed') return { ...known, state, reason }
  return { ...known, state: 'failed', reason: `${reason}${describeEnd(end)}`, ...(output !== '' && { output }) }
}

const SHOWS_NOTHING = 'the verify command passes before any work, so it shows nothing'
const STOPPED = { state: 'not run', reason: 'stopped' } as const

/** The tools of a task that are not there. */
function findMissing({ needs, tools = [] }: SuiteTask, { registry }: Host): readonly string[] {
  const snapshot = registry.snapshot()
  return [...new Set([...needs, ...tools])].filter((name) => snapshot.find(name) === undefined)
}

/** Why a run failed that is not worth verifying. */
function whyNotVerified({ reason, summary }: RunEnd, limit: number | undefined): string | undefined {
  if (limit !== undefined) return `over its time limit of ${limit} s`
  if (reason === 'failed') return summary ?? 'the run failed'
  return reason === 'cancelled' ? 'the run was stopped' : undefined
}

/** What else kept a run from its end. */
function describeEnd({ reason, steps }: RunEnd): string {
  if (reason === 'limit') return `; cut off after ${steps} steps`
  return reason === 'loop' ? '; stopped, since the model repeated itself' : ''
}
