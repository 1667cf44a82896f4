import type { Event } from '../../core/session/event.ts'
import type { LogReader } from '../home-options.ts'
import type { TaskReport } from './suite.ts'

/** What a session took. */
export type Work = Pick<TaskReport, 'steps' | 'repairs' | 'tokens' | 'isEstimated' | 'cost'>

/** Counts the replies, repairs and tokens of a session and of the agents that it started. */
export async function countWork(log: LogReader, session: string): Promise<Work> {
  const agents = await log.sessions({ parent: session, limit: Number.MAX_SAFE_INTEGER })
  const work = { steps: 0, repairs: 0, tokens: 0, isEstimated: false, cost: 0 }
  for (const one of [session, ...agents.map((agent) => agent.session)])
    for (const event of await log.read({ session: one })) addWork(work, event)
  return work
}

function addWork(work: { -readonly [Key in keyof Work]: Work[Key] }, event: Event): void {
  if (event.type === 'call-repaired') work.repairs++
  if (event.type !== 'model-call') return
  const { usage, repairs = [] } = event
  work.steps++
  if (repairs.length > 0) work.repairs++
  work.tokens += (usage.input ?? 0) + (usage.output ?? 0)
  work.cost += usage.cost ?? 0
  work.isEstimated ||= usage.estimated === true
}
