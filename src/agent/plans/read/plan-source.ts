import type { JobPlan, PlanProblem } from '../../../core/plans/plan.ts'
import type { Place } from '../../yaml/yaml-reader.ts'

/** A plan that was read, and where its members are in the source. */
export interface ReadPlan {
  readonly plan: JobPlan
  /** Places by member: `jobs.2.tools.0`; the whole plan is ``. Empty where the plan came as data. */
  readonly places: ReadonlyMap<string, Place>
}

/** Makes a problem of a member, with the place of the nearest member that has one. */
export function problemAt(places: ReadPlan['places'], where: string, text: string): PlanProblem {
  for (let path = where; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const place = places.get(path)
    if (place) return { where, text, ...place }
  }
  return { where, text, ...places.get('') }
}

/** The keys of a plan beside `goal` and `jobs`. */
export const PLAN_KEYS = [
  ...['model', 'mode', 'tools', 'mcpServers', 'manual', 'checkOff', 'timeout', 'maxSteps', 'maxTokens'],
] as const
export const JOB_KEYS = [
  ...['id', 'prompt', 'tools', 'dependsOn', 'check', 'checkTimeout', 'maxIterations', 'timeout', 'maxSteps'],
  ...['maxTokens', 'files'],
] as const

/** The least and the most of each number of a plan or job. */
export const RANGES = {
  timeout: [1, 604_800],
  maxSteps: [1, 100_000],
  maxTokens: [1, 1_000_000_000],
  checkTimeout: [1, 600],
  maxIterations: [1, 100],
} as const satisfies Record<string, readonly [number, number]>
