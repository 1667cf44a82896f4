import type { PlansParts } from './create-plans.ts'
import type { OwnPlans } from './plans.ts'

/** Creates the plans of a home at their first use: reading them loads a YAML parser. */
export function openPlans(parts: PlansParts): OwnPlans {
  let created: Promise<OwnPlans> | undefined
  const plans = () => {
    created ??= import('./create-plans.ts').then(({ createPlans }) => createPlans(parts))
    return created
  }
  return {
    check: async (start) => (await plans()).check(start),
    start: async (start) => (await plans()).start(start),
    checkProposed: async (...given) => (await plans()).checkProposed(...given),
    startProposed: async (...given) => (await plans()).startProposed(...given),
    act: async (id, order) => (await plans()).act(id, order),
    list: async (filter) => (await plans()).list(filter),
    get: async (id) => (await plans()).get(id),
    rest: async (id, signal) => (await plans()).rest(id, signal),
    undoable: async (id, job) => (await plans()).undoable(id, job),
    idle: async () => (await created)?.idle(),
  }
}
