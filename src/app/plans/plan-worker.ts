import { writeJobPrompt } from '../../agent/plans/run/job-prompt.ts'
import type { CheckEnd, PlanWorker, WorkEnd, WorkOrder } from '../../agent/plans/run/plan-worker.ts'
import type { Result } from '../../core/call/result.ts'
import { JOB_DEFAULTS } from '../../core/plans/plan.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { isRecord } from '../../core/text/json.ts'
import { selectForAgent } from '../agent/agents.ts'
import type { EventBus } from '../event-bus.ts'
import type { OpenedHost } from '../host.ts'
import type { Session, SessionCaller } from '../sessions/session.ts'
import { countWork } from '../suite/count-work.ts'
import { checkOffLine } from './check-off.ts'
import type { PlanCaller } from './plans.ts'

/** The most lines and characters of a check's output that are kept. */
const LINES = 60
const CHARACTERS = 6_000

/** Replies of a sub-agent at most, unless a limit of the job is less. */
const MAX_STEPS = 50

/** What working on a plan needs. */
export interface WorkerParts {
  readonly opened: OpenedHost
  readonly storage: Storage
  readonly bus: EventBus
  readonly caller: PlanCaller
  /** The session of the plan: its checks are calls of it. */
  readonly session: Session
  /** Goes on with a session that the log knows. */
  open(id: string, caller: SessionCaller): Promise<Session>
}

/** Makes what a runner works with: sub-agents are sessions of the host, checks are calls of the plan's own session. */
export function createPlanWorker(parts: WorkerParts): PlanWorker {
  const { log } = parts.storage
  return {
    work: (order, signal) => work(order, signal, parts),
    check(job, command, signal) {
      const timeout = job.checkTimeout ?? JOB_DEFAULTS.checkTimeout
      // Whoever starts a plan approves its checks as they are written.
      const options = { decision: 'allow', by: 'plan', signal } as const
      const { id, result } = parts.session.start('shell', { command, timeout }, options)
      return { call: id, end: result.then((ended) => readCheck(ended, timeout)) }
    },
    async count(agents) {
      const counts = await Promise.all(agents.map((agent) => countWork(log, agent)))
      const sum = (key: 'steps' | 'tokens') => counts.reduce((total, count) => total + count[key], 0)
      return { steps: sum('steps'), tokens: sum('tokens') }
    },
    checkOff: (view, job) => checkOffLine(parts.session, view, job),
  }
}

async function work(order: WorkOrder, signal: AbortSignal, parts: WorkerParts): Promise<WorkEnd> {
  const { view, job, agent, maxSteps = MAX_STEPS, maxTokens } = order
  const { storage, caller } = parts
  const before = await storage.log.read({ session: agent })
  const isBegun = before.some(({ type }) => type === 'session-start')
  const ended = before.findLast(({ type }) => type === 'run-end' || type === 'run-start')
  // The process died, or was asked to end, between the sub-agent's end and its check.
  if (ended?.type === 'run-end' && ended.reason !== 'cancelled') return ended
  const session = isBegun ? await parts.open(agent, callerOf(order, parts)) : begin(order, parts)
  const tokens = watchTokens(agent, maxTokens, parts.bus)
  try {
    const { reason, summary } = await session.send(writeJobPrompt(view, job, { isContinued: ended !== undefined }), {
      model: caller.model ?? view.model,
      signal: AbortSignal.any([signal, tokens.signal]),
      maxSteps: Math.min(maxSteps, MAX_STEPS),
    })
    const isSpent = tokens.signal.aborted && !signal.aborted
    return { reason: isSpent ? 'limit' : reason, ...(summary !== undefined && { summary }) }
  } finally {
    tokens.end()
    await session.close()
  }
}

function begin(order: WorkOrder, parts: WorkerParts): Session {
  const { view, agent } = order
  const { opened, bus } = parts
  const session = opened.begin({
    ...callerOf(order, parts),
    ...selectTools(order, opened),
    ...{ id: agent, parent: view.id, mode: view.mode, model: view.model },
  })
  bus.emit({ type: 'session-changed', session: agent, title: titleOf(order) })
  return session
}

/** The tools of a job: its own, else those of the plan, else those of whoever started it. */
function selectTools({ view, job }: WorkOrder, { host }: OpenedHost) {
  const { plan } = view
  const { tools, mcpServers } = selectForAgent(host.registry.snapshot(), job.tools ?? plan.tools ?? view.tools)
  const servers = plan.mcpServers ?? view.mcpServers
  const named =
    job.tools === undefined ? (servers ?? mcpServers) : [...new Set([...mcpServers, ...(plan.mcpServers ?? [])])]
  return { tools, mcpServers: named }
}

function titleOf({ job, agent }: WorkOrder): string {
  return `${job.id}, try ${agent.split('.').at(-1)}`
}

function callerOf(order: WorkOrder, { caller }: WorkerParts): SessionCaller {
  const { approver, wait, decision, by } = caller
  return {
    ...(approver && { approver }),
    ...(wait !== undefined && { wait }),
    ...(decision !== undefined && { decision }),
    ...(by !== undefined && { by }),
    ...{ mode: order.view.mode, label: titleOf(order) },
  }
}

/** A signal that aborts once a session has used so many tokens. */
function watchTokens(session: string, most: number | undefined, bus: EventBus) {
  const spent = new AbortController()
  let used = 0
  const end = bus.on((event) => {
    if (event.type !== 'model-call' || event.session !== session) return
    used += (event.usage.input ?? 0) + (event.usage.output ?? 0)
    if (most !== undefined && used >= most) spent.abort()
  })
  return { signal: spent.signal, end }
}

/** Reads what a check found out of the result of its call. */
function readCheck(result: Result, timeout: number): CheckEnd {
  if (!result.ok) {
    if (result.code !== 'TIMEOUT')
      return { passed: false, text: `the check could not run: ${result.text}`, isRefused: true }
    const partial = result.details?.partial
    const output = typeof partial === 'string' ? partial : ''
    return { passed: false, text: `the check did not end within ${timeout} s`, output: lastLines(output) }
  }
  const { exitCode, stdout = '', stderr = '' } = isRecord(result.data) ? result.data : {}
  const output = lastLines([stdout, stderr].filter((text) => text !== '').join('\n'))
  if (exitCode === 0) return { passed: true, text: 'the check passed', output, exitCode }
  return {
    ...{ passed: false, text: `the check ended with exit code ${String(exitCode)}`, output },
    ...(typeof exitCode === 'number' && { exitCode }),
  }
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-LINES).join('\n')
  return lines.length <= CHARACTERS ? lines : `…${lines.slice(-CHARACTERS)}`
}
