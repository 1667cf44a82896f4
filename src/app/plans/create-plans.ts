import { describeRequest, settleRequest } from '../../agent/plans/actions.ts'
import { runPlan } from '../../agent/plans/run/run-plan.ts'
import { makeTitle } from '../../agent/session-title.ts'
import { type Failure, failure, isFailure, ToolError } from '../../core/call/result.ts'
import { drawPlan } from '../../core/plans/draw-plan.ts'
import type { Plan } from '../../core/plans/plan.ts'
import { isActive, type PlanView } from '../../core/plans/plan-view.ts'
import { findUndoableOf } from '../../undo/find-undoable.ts'
import type { HomeParts } from '../home-parts.ts'
import type { OpenedHost } from '../host.ts'
import type { Session, SessionCaller } from '../sessions/session.ts'
import { type CheckedPlan, checkStart } from './check-start.ts'
import { followRest } from './follow-rest.ts'
import { createPlanWorker } from './plan-worker.ts'
import type { PlanCaller, PlanRecord, PlanStart, Plans, StartedPlan } from './plans.ts'
import { WorkspaceTurns } from './workspace-turns.ts'

/** A host that stays open until it is released. */
interface UsedHost {
  readonly opened: OpenedHost
  release(): void
}

/** What plans need of their home. */
export interface PlansParts {
  readonly home: HomeParts
  /** Opens the host of a workspace. */
  use(workspace: string): Promise<UsedHost>
  /** Goes on with a session that the log knows. */
  open(id: string, caller: SessionCaller): Promise<Session>
  /** Aborted when the home is closed. */
  readonly over: AbortSignal
}

/** The tools that a plan's own session uses: for checks, and for checking off lines. */
const OWN_TOOLS = ['shell', 'read_file', 'edit_file']
/** How many plans a list holds, unless told otherwise. */
const LISTED = 50

/** What only the tool that proposes plans gives. */
export interface Proposed {
  readonly madeIn: string
  readonly proposal: string
  readonly tools: readonly string[]
  readonly mcpServers: readonly string[]
}

/** The plans of a home, with what only its own parts use. */
export interface OwnPlans extends Plans {
  /** Reads and checks a plan that a session proposes. Rejects with PlanError, and with ToolError where another plan holds the workspace. */
  checkProposed(start: PlanStart, proposed: Proposed): Promise<Plan>
  /** Starts a plan that a session proposed and a person approved. */
  startProposed(start: PlanStart, proposed: Proposed): Promise<StartedPlan | Failure>
  /** Resolves when no plan of this process works any more. */
  idle(): Promise<void>
}

/** Creates the plans of a home. A plan is a session of its own; whoever holds that session's lease runs it. */
export function createPlans(parts: PlansParts): OwnPlans {
  const { home, use, over } = parts
  const { storage, bus, ids, mcp } = home
  const { log, leases } = storage
  const turns = new WorkspaceTurns(storage.locks)
  const working = new Set<Promise<unknown>>()

  const read = async (id: string): Promise<PlanView | undefined> =>
    /^p_/.test(id) ? drawPlan(await log.read({ session: id })) : undefined
  const recordOf = async (view: PlanView): Promise<PlanRecord> => ({ ...view, isHeld: await leases.isHeld(view.id) })
  const list: Plans['list'] = async ({ workspace, prefix = 'p_', limit = LISTED } = {}) => {
    const known = await log.sessions({ prefix, limit, ...(workspace !== undefined && { workspace }) })
    const views = await Promise.all(known.map(({ session }) => read(session)))
    return Promise.all(views.filter((view) => view !== undefined).map(recordOf))
  }
  const serverNames = async () => (await mcp.list()).map(({ name }) => name)

  /** Says which other plan holds the workspace. */
  const findConflict = async (workspace: string, own?: string): Promise<Failure | undefined> => {
    const other = (await list({ workspace, limit: 1_000 })).find((plan) => plan.id !== own && isActive(plan))
    if (other === undefined) return undefined
    const text = `The plan ${other.id} is ${other.state} in this workspace: ${makeTitle(other.goal)}. Finish it with "haft plan resume ${other.id}", or end it with "haft plan stop ${other.id}".`
    return failure('CONFLICT', text, { details: { plan: other.id } })
  }
  /** Runs a plan whose lease this process has, in the background. */
  const run = (id: string, { opened, release }: UsedHost, caller: PlanCaller, given?: Session): Promise<PlanView> => {
    const signal = caller.signal ? AbortSignal.any([caller.signal, over]) : over
    const go = async () => {
      const session = given ?? (await parts.open(id, {}))
      try {
        const worker = createPlanWorker({ opened, storage, bus, caller, session, open: parts.open })
        return await runPlan({ plan: id, log, leases, worker, signal, emit: bus.emit })
      } finally {
        await session.close()
        release()
      }
    }
    const rest = go()
    working.add(rest)
    rest.then(
      () => working.delete(rest),
      () => working.delete(rest),
    )
    return rest
  }
  /** Logs a plan and takes its lease in one commit. */
  const begin = async (checked: CheckedPlan, { opened }: UsedHost, start: PlanStart & Partial<Proposed>) => {
    const { plan, mode, source } = checked
    const { madeIn, proposal, tools, mcpServers, by = 'program' } = start
    const model = await opened.agent.openModel({ model: start.model ?? plan.model ?? home.models.selected() ?? 'demo' })
    const id = ids.nextPlan()
    const session = opened.begin({ id, mode, tools: OWN_TOOLS, mcpServers: [], model: model.name })
    bus.emit({ type: 'session-changed', session: id, title: makeTitle(plan.goal) })
    bus.emit({
      ...{ type: 'plan-start', session: id, plan, mode, model: model.name, by },
      ...(source && { source }),
      ...(madeIn !== undefined && { madeIn }),
      ...(proposal !== undefined && { proposal }),
      ...(tools && { tools }),
      ...(mcpServers && { mcpServers }),
    })
    const { event } = await leases.claim(id, { role: 'user', content: 'Start the plan.' })
    bus.notify(event)
    return { id, session, model }
  }
  const startAny = async (start: PlanStart & Partial<Proposed>): Promise<StartedPlan | Failure> => {
    const used = await use(start.workspace)
    try {
      const snapshot = start.tools && used.opened.host.registry.snapshot().only(start.tools, start.mcpServers)
      const checked = await checkStart(start, { opened: used.opened, servers: await serverNames(), snapshot })
      const { workspace } = used.opened.host
      const begun = await turns.run(
        workspace,
        async () => (await findConflict(workspace)) ?? (await begin(checked, used, start)),
      )
      if (isFailure(begun)) {
        used.release()
        return begun
      }
      const { id, session, model } = begun
      return { id, rest: run(id, used, { ...start, model }, session) }
    } catch (thrown) {
      used.release()
      throw thrown
    }
  }
  const act: Plans['act'] = async (id, { action, job, text, ...caller }) => {
    const view = await read(id)
    if (view === undefined) return failure('FILE_NOT_FOUND', `There is no plan ${JSON.stringify(id)}.`)
    const wish = { action, ...(job !== undefined && { job }), ...(text !== undefined && { text }) }
    const settled = settleRequest(view, wish)
    if ('code' in settled) return failure(settled.code, settled.text)
    const used = await use(view.workspace)
    try {
      const claimed = await turns.run(view.workspace, async () => {
        const conflict = isActive(view) ? undefined : await findConflict(view.workspace, id)
        if (conflict) return conflict
        bus.emit({ type: 'plan-request', session: id, ...settled, by: caller.by ?? 'program' })
        const taken = await leases.claim(id, { role: 'user', content: describeRequest(settled) })
        bus.notify(taken.event)
        return taken
      })
      if ('isHolder' in claimed && claimed.isHolder) return { id, rest: run(id, used, caller) }
      used.release()
      if (!('isHolder' in claimed)) return claimed
      return { id, rest: followRest({ plan: id, after: claimed.cursor, log, leases }, caller.signal ?? over) }
    } catch (thrown) {
      used.release()
      throw thrown
    }
  }
  return {
    list,
    act,
    async check(start) {
      const used = await use(start.workspace)
      try {
        return (await checkStart(start, { opened: used.opened, servers: await serverNames() })).plan
      } finally {
        used.release()
      }
    },
    start: startAny,
    async checkProposed(start, { tools, mcpServers }) {
      const { opened, release } = await use(start.workspace)
      try {
        const conflict = await findConflict(opened.host.workspace)
        if (conflict) throw new ToolError(conflict.code, conflict.text)
        const snapshot = opened.host.registry.snapshot().only(tools, mcpServers)
        return (await checkStart(start, { opened, servers: await serverNames(), snapshot })).plan
      } finally {
        release()
      }
    },
    startProposed: (start, proposed) => startAny({ ...start, ...proposed }),
    async get(id) {
      const view = await read(id)
      return view && recordOf(view)
    },
    async rest(id, signal = over) {
      const after = await log.end()
      const view = await read(id)
      if (view?.state !== 'running' || !(await leases.isHeld(id))) return view
      return followRest({ plan: id, after, log, leases }, signal)
    },
    async undoable(id, job) {
      const found = (await read(id))?.jobs.find((one) => one.id === job)
      if (found === undefined) return []
      const { iterations, checkedOff } = found
      const calls = [...iterations.flatMap(({ checks }) => checks), ...(checkedOff === undefined ? [] : [checkedOff])]
      return findUndoableOf(storage, { sessions: iterations.map(({ agent }) => agent), calls })
    },
    async idle() {
      await Promise.allSettled(working)
    },
  }
}
