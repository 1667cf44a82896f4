import type { Plan } from '../../../../src/core/plans/plan.ts'

/** The plan of a proposal, if its arguments hold one with jobs as data. */
export function planOf(value: unknown): Plan | undefined {
  if (typeof value !== 'object' || value === null || !('plan' in value)) return undefined
  const { plan } = value
  const hasJobs = typeof plan === 'object' && plan !== null && 'jobs' in plan && Array.isArray(plan.jobs)
  return hasJobs ? (plan as Plan) : undefined
}
