import type { Host } from '../../app/host.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import type { Interrupt } from '../terminal/interrupt.ts'
import { restLines } from './plan-lines.ts'
import { exitCodeOf } from './run-plan.ts'

/** The plans that calls of this process start. They run in this process, so it waits for them. */
export interface StartedPlans {
  /** Resolves once they rest, or the person asks to end, to how each of them then stands. */
  rest(interrupt: Interrupt): Promise<readonly PlanView[]>
}

/** Follows which plans the calls of a host start, from now on. */
export function followPlans(host: Host): StartedPlans {
  const started = new Set<string>()
  host.on((event) => {
    if (event.type === 'plan-start') started.add(event.session)
  })
  return {
    async rest({ signal, requested }) {
      const rests = Promise.all([...started].map((id) => host.plans.rest(id, signal)))
      await Promise.race([rests, requested])
      const views = await Promise.all([...started].map((id) => host.plans.get(id)))
      return views.filter((view) => view !== undefined)
    },
  }
}

/** Says how a plan rests, and how it goes on. One that still runs is paused when this process ends. */
export function plansLines(views: readonly PlanView[]): string[] {
  const look = { paint, columns: columnsOf(process.stdout), now: Date.now() }
  return views.flatMap((view) => restLines(view.state === 'running' ? asPaused(view) : view, look))
}

function asPaused(view: PlanView): PlanView {
  return { ...view, state: 'paused', pause: { reason: 'ended', text: `${view.id} waits until it is resumed.` } }
}

/** The exit code of a call that succeeded, given the plans it started. */
export function exitCodeOfPlans(views: readonly PlanView[]): number {
  return Math.max(0, ...views.map(exitCodeOf))
}
