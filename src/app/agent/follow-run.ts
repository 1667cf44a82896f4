import type { RunEnd } from '../../agent/run/run-session.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { Log } from '../../core/ports/log.ts'
import { watchHolder } from './watch-holders.ts'

interface FollowParts {
  readonly session: string
  /** The cursor of the message that was sent. */
  readonly after: number
  readonly log: Log
  readonly leases: Leases
}

/** Waits for the end of a run that another process makes. A signal ends the wait, not the run. */
export async function followRun({ session, after, log, leases }: FollowParts, signal?: AbortSignal): Promise<RunEnd> {
  const gone = new AbortController()
  const unwatch = watchHolder({ session, leases, gone: () => gone.abort() })
  const ending = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal
  try {
    for await (const event of log.follow({ session, after, signal: ending }))
      if (event.type === 'run-end') return endOf(event)
    // It may have ended between the last look at the log and the check.
    for (const event of await log.read({ session, after })) if (event.type === 'run-end') return endOf(event)
  } finally {
    unwatch()
  }
  if (signal?.aborted) return { reason: 'cancelled', steps: 0 }
  return { reason: 'failed', steps: 0, summary: 'The process that ran the session has ended. Send the message again.' }
}

function endOf({ reason, summary, steps }: RunEnd): RunEnd {
  return { reason, steps, ...(summary !== undefined && { summary }) }
}
