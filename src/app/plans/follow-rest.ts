import { drawPlan } from '../../core/plans/draw-plan.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { Log } from '../../core/ports/log.ts'
import { watchHolder } from '../agent/watch-holders.ts'

interface FollowParts {
  readonly plan: string
  /** Only what happens after this cursor counts. */
  readonly after: number
  readonly log: Log
  readonly leases: Leases
}

/** Waits until a plan that another process runs rests, or that process has died. A signal ends the wait, not the plan. */
export async function followRest({ plan, after, log, leases }: FollowParts, signal: AbortSignal): Promise<PlanView> {
  const gone = new AbortController()
  const unwatch = watchHolder({ session: plan, leases, gone: () => gone.abort() })
  const ending = AbortSignal.any([signal, gone.signal])
  try {
    const types = ['plan-pause', 'plan-end'] as const
    for await (const _ of log.follow({ session: plan, after, types, signal: ending })) break
  } finally {
    unwatch()
  }
  const view = drawPlan(await log.read({ session: plan }))
  if (view === undefined) throw new Error(`there is no plan ${JSON.stringify(plan)} in the log`)
  return view
}
