/** The id of a sub-agent's session: it names plan, job and iteration, so that a grant can hold for all of a job or plan. Jobs count from 1. */
export function agentId(plan: string, job: number, iteration: number): string {
  return `${agentsOfPlan(plan)}.${job}.${iteration}`
}

/** True for the id of a plan, which is the id of its session. */
export function isPlan(session: string): boolean {
  return session.startsWith('p_')
}

/** What the ids of all sub-agents of a plan begin with. */
export function agentsOfPlan(plan: string): string {
  return plan.replace(/^p_/, 'j_')
}

/** The plan that a sub-agent works for; undefined for a session that belongs to no plan. */
export function planOfAgent(agent: string): string | undefined {
  return agentsOfJob(agent)?.replace(/^j_(\w+)\.\d+$/, 'p_$1')
}

/** What the ids of all sub-agents of one sub-agent's job begin with; undefined for a session that belongs to no plan. */
export function agentsOfJob(agent: string): string | undefined {
  return /^(j_\w+\.\d+)\.\d+$/.exec(agent)?.[1]
}

/** True for a session that an id begins: itself, or a sub-agent of that plan or job. */
export function isWithin(session: string, start: string): boolean {
  return session === start || session.startsWith(`${start}.`)
}
