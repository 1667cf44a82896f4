import { describeRequest, type PlanRequest, settleRequest } from '../../agent/plans/actions.ts'
import { runPlan } from '../../agent/plans/run/run-plan.ts'
import { makeTitle } from '../../agent/session-title.ts'
import { type Failure, failure, isFailure, ToolError } from '../../core/call/result.ts'
import { drawPlan } from '../../core/plans/draw-plan.ts'
import type { CheckedPlan } from '../../core/plans/plan.ts'
import { isActive, type PlanView } from '../../core/plans/plan-view.ts'
import type { Model } from '../../core/ports/model.ts'
import { findUndoableOf } from '../../undo/find-undoable.ts'
import type { EventBus } from '../event-bus.ts'
import type { HomeParts } from '../home-parts.ts'
import type { OpenedHost } from '../host.ts'
import type { Session, SessionCaller } from '../sessions/session.ts'
import { type CheckedStart, checkStart } from './check-start.ts'
import { followRest } from './follow-rest.ts'
import { jobRules } from './job-rules.ts'
import { createPlanWorker } from './plan-worker.ts'
import type {
  OwnPlans,
  PlanCaller,
  PlanFilter,
  PlanOrder,
  PlanRecord,
  PlanStart,
  Proposed,
  StartedPlan,
} from './plans.ts'
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

/** Creates the plans of a home. A plan is a session of its own; whoever holds that session's lease runs it. */
export function createPlans(parts: PlansParts): OwnPlans {
  return new HomePlans(parts)
}

type AnyStart = PlanStart & Partial<Proposed>

class HomePlans implements OwnPlans {
  readonly #parts: PlansParts
  readonly #turns: WorkspaceTurns
  readonly #working = new Set<Promise<unknown>>()

  constructor(parts: PlansParts) {
    this.#parts = parts
    this.#turns = new WorkspaceTurns(parts.home.storage.locks)
  }

  async list({ workspace, prefix = 'p_', limit = LISTED }: PlanFilter = {}): Promise<readonly PlanRecord[]> {
    const { log } = this.#parts.home.storage
    const known = await log.sessions({ prefix, limit, ...(workspace !== undefined && { workspace }) })
    const records = await Promise.all(known.map(({ session }) => this.get(session)))
    return records.filter((record) => record !== undefined)
  }

  async get(id: string): Promise<PlanRecord | undefined> {
    const view = await this.#read(id)
    return view && { ...view, isHeld: await this.#parts.home.storage.leases.isHeld(id) }
  }

  async check(start: PlanStart): Promise<CheckedPlan> {
    const { source: _, ...checked } = await this.#withHost(start.workspace, async ({ opened }) =>
      this.#checkStart(start, opened),
    )
    return checked
  }

  checkProposed(start: PlanStart, proposed: Proposed): Promise<CheckedPlan> {
    return this.#withHost(start.workspace, async ({ opened }) => {
      const conflict = await this.#findConflict(opened.host.workspace)
      if (conflict) throw new ToolError(conflict.code, conflict.text)
      return this.#checkStart({ ...start, ...proposed }, opened)
    })
  }

  startProposed(start: PlanStart, proposed: Proposed): Promise<StartedPlan | Failure> {
    return this.start({ ...start, ...proposed })
  }

  async start(start: AnyStart): Promise<StartedPlan | Failure> {
    const used = await this.#parts.use(start.workspace)
    try {
      const { workspace } = used.opened.host
      const checked = await this.#checkStart(start, used.opened)
      const begun = await this.#turns.run(
        workspace,
        async () => (await this.#findConflict(workspace)) ?? (await this.#begin(checked, used, start)),
      )
      if (!isFailure(begun)) {
        const { id, session, model } = begun
        return { id, rest: this.#run(id, used, { caller: { ...start, model }, session }) }
      }
      used.release()
      return begun
    } catch (thrown) {
      used.release()
      throw thrown
    }
  }

  async act(id: string, { action, job, text, ...caller }: PlanOrder): Promise<StartedPlan | Failure> {
    const view = await this.#read(id)
    if (view === undefined) return failure('FILE_NOT_FOUND', `There is no plan ${JSON.stringify(id)}.`)
    const asked = { action, ...(job !== undefined && { job }), ...(text !== undefined && { text }) }
    const settled = settleRequest(view, asked)
    if ('code' in settled) return failure(settled.code, settled.text)
    const used = await this.#parts.use(view.workspace)
    try {
      const claimed = await this.#turns.run(
        view.workspace,
        async () =>
          (isActive(view) ? undefined : await this.#findConflict(view.workspace, id)) ??
          (await this.#claim(id, settled, caller.by)),
      )
      if (!isFailure(claimed) && claimed.isHolder) return { id, rest: this.#run(id, used, { caller }) }
      used.release()
      if (isFailure(claimed)) return claimed
      const { over, home } = this.#parts
      const follow = { plan: id, after: claimed.cursor, ...home.storage }
      return { id, rest: followRest(follow, caller.signal ?? over) }
    } catch (thrown) {
      used.release()
      throw thrown
    }
  }

  async rest(id: string, signal = this.#parts.over): Promise<PlanView | undefined> {
    const { storage } = this.#parts.home
    const after = await storage.log.end()
    const view = await this.#read(id)
    if (view?.state !== 'running' || !(await storage.leases.isHeld(id))) return view
    return followRest({ plan: id, after, ...storage }, signal)
  }

  async undoable(id: string, job: string): Promise<readonly string[]> {
    const found = (await this.#read(id))?.jobs.find((one) => one.id === job)
    if (found === undefined) return []
    const { iterations, checkedOff } = found
    const calls = [...iterations.flatMap(({ checks }) => checks), ...(checkedOff === undefined ? [] : [checkedOff])]
    return findUndoableOf(this.#parts.home.storage, { sessions: iterations.map(({ agent }) => agent), calls })
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#working)
  }

  async #read(id: string): Promise<PlanView | undefined> {
    return /^p_/.test(id) ? drawPlan(await this.#parts.home.storage.log.read({ session: id })) : undefined
  }

  async #withHost<T>(workspace: string, work: (used: UsedHost) => Promise<T>): Promise<T> {
    const used = await this.#parts.use(workspace)
    try {
      return await work(used)
    } finally {
      used.release()
    }
  }

  async #checkStart(start: AnyStart, opened: OpenedHost): Promise<CheckedStart> {
    const { tools, mcpServers } = start
    const snapshot = tools && opened.host.registry.snapshot().only(tools, mcpServers)
    const servers = (await this.#parts.home.mcp.list()).map(({ name }) => name)
    return checkStart(start, { opened, servers, snapshot })
  }

  /** Says which other plan holds the workspace. */
  async #findConflict(workspace: string, own?: string): Promise<Failure | undefined> {
    const other = (await this.list({ workspace, limit: 1_000 })).find((plan) => plan.id !== own && isActive(plan))
    if (other === undefined) return undefined
    const { id, state, goal } = other
    const text = `The plan ${id} is ${state} in this workspace: ${makeTitle(goal)}. Go on with it (haft plan resume ${id}) or end it (haft plan stop ${id}) first.`
    return failure('CONFLICT', text, { details: { plan: id } })
  }

  /** Logs a plan and takes its lease in one commit. */
  async #begin({ plan, mode, source }: CheckedStart, { opened }: UsedHost, start: AnyStart) {
    const { ids, bus, storage, models } = this.#parts.home
    const { madeIn, proposal, tools, mcpServers, by = 'program' } = start
    const model = await opened.agent.openModel({
      model: start.model ?? plan.model ?? (await this.#modelOf(madeIn, opened)) ?? models.selected() ?? 'demo',
    })
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
    const { event } = await storage.leases.claim(id, { role: 'user', content: 'Start the plan.' })
    bus.notify(event)
    return { id, session, model }
  }

  /** The model of the session that proposed a plan: the one it runs with now, else the one it began with. */
  async #modelOf(session: string | undefined, { agent }: OpenedHost): Promise<string | Model | undefined> {
    if (session === undefined) return undefined
    const running = agent.running.get(session)
    if (running) return running.model
    const [record] = await this.#parts.home.storage.log.sessions({ session, limit: 1 })
    return record?.model ?? undefined
  }

  /** Logs a request and takes the lease of the plan, unless a living process has it, in one commit. */
  async #claim(id: string, request: PlanRequest, by = 'program') {
    const { bus, storage } = this.#parts.home
    bus.emit({ type: 'plan-request', session: id, ...request, by })
    const claimed = await storage.leases.claim(id, { role: 'user', content: describeRequest(request) })
    bus.notify(claimed.event)
    return claimed
  }

  /** Runs a plan whose lease this process has. */
  #run(id: string, used: UsedHost, given: { caller: PlanCaller; session?: Session }): Promise<PlanView> {
    const rest = this.#runHere(id, used, given)
    this.#working.add(rest)
    const forget = () => this.#working.delete(rest)
    rest.then(forget, forget)
    return rest
  }

  async #runHere(id: string, { opened, release }: UsedHost, given: { caller: PlanCaller; session?: Session }) {
    const { home, over, open } = this.#parts
    const { storage, bus, grants } = home
    const { caller } = given
    // Whoever is told that a plan rests finds its grants with all their uses.
    const emit: EventBus['emit'] = (body) => {
      if (body.type === 'plan-end' || body.type === 'plan-pause') grants.flush()
      return bus.emit(body)
    }
    try {
      const session = given.session ?? (await open(id, {}))
      const view = await this.#read(id)
      const ruleSource = `plan ${id}`
      opened.replaceRules(view ? jobRules(view) : [], ruleSource)
      try {
        const worker = createPlanWorker({ opened, storage, bus, caller, session, open })
        const signal = caller.signal ? AbortSignal.any([caller.signal, over]) : over
        const rested = await runPlan({ plan: id, ...storage, worker, signal, emit })
        // A plan that has ended has no sub-agents that its rules could hold; a paused one goes on.
        if (!isActive(rested)) opened.replaceRules([], ruleSource)
        return rested
      } finally {
        await session.close()
      }
    } finally {
      release()
    }
  }
}
