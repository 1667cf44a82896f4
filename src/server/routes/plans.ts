import { DEMO_PLAN } from '../../core/plans/demo-plan.ts'
import { PlanError } from '../../core/plans/plan.ts'
import { BY, CALLER, type Handlers, type ServerParts, withHost } from '../context.ts'
import { HttpError, orRefuse } from '../request/http-error.ts'

export const planHandlers: Handlers<'listPlans' | 'startPlan' | 'checkPlan' | 'getPlan' | 'actOnPlan'> = {
  listPlans: async (filter, { home }) => ({ plans: await home.plans.list(filter) }),
  async startPlan({ plan, demo, workspace, model, mode, manual }, request) {
    const start = {
      ...{ plan: given(plan, demo), ...CALLER },
      ...(model !== undefined && { model }),
      ...(mode && { mode }),
      ...(manual && { manual }),
    }
    const started = await withHost(request, workspace, (host) =>
      request.home.plans.start({ ...start, workspace: host.workspace }).catch(refuseInvalid),
    )
    const { id, rest } = orRefuse(started)
    // How it ends is in the log.
    rest.catch(() => undefined)
    return { plan: await find(request, id) }
  },
  async checkPlan({ plan, demo, workspace, mode }, request) {
    const checked = given(plan, demo)
    try {
      const { warnings } = await withHost(request, workspace, (host) =>
        request.home.plans.check({ workspace: host.workspace, plan: checked, ...(mode && { mode }) }),
      )
      return { problems: [], warnings }
    } catch (thrown) {
      if (thrown instanceof PlanError) return { problems: thrown.problems, warnings: [] }
      throw thrown
    }
  },
  getPlan: async ({ id }, request) => ({ plan: await find(request, id) }),
  async actOnPlan({ id, action, job, text }, request) {
    const asked = { action, ...(job !== undefined && { job }), ...(text !== undefined && { text }) }
    const { rest } = orRefuse(await request.home.plans.act(id, { ...asked, ...CALLER, by: BY }))
    rest.catch(() => undefined)
    return { plan: await find(request, id) }
  },
}

function given(plan: string | object | undefined, demo: boolean | undefined): string | object {
  if (demo) return DEMO_PLAN
  if (plan === undefined) throw new HttpError('INVALID_ARGUMENTS', 'Give a plan, as text or as data.')
  return plan
}

function refuseInvalid(thrown: unknown): never {
  if (!(thrown instanceof PlanError)) throw thrown
  throw new HttpError('INVALID_ARGUMENTS', thrown.message, { details: { problems: thrown.problems } })
}

async function find({ home }: ServerParts, id: string) {
  const plan = await home.plans.get(id)
  if (plan === undefined) throw new HttpError('FILE_NOT_FOUND', `There is no plan ${JSON.stringify(id)}.`)
  return plan
}
