import type { LogReader } from '../../app/home-options.ts'
import type { Finding } from '../../app/overview/examine.ts'
import { describeRepairs, readModelRepairs } from './model-repairs.ts'

/** How many of the last sessions are looked at. */
const SESSIONS = 50

/** What the last sessions had to read and repair, one finding for each model. */
export async function repairFindings(log: LogReader): Promise<Finding[]> {
  const counts = await readModelRepairs(log, await log.sessions({ limit: SESSIONS }))
  return counts.map((one) => ({ what: 'model', holds: true, seen: `${one.model}: ${describeRepairs(one)}` }))
}
