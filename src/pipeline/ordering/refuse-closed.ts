import type { CheckReport } from '../../core/call/check-report.ts'
import { type Failure, failure } from '../../core/call/result.ts'

/** The answer to whatever is asked of a host that was closed, or is being closed. */
export function refuseClosed(what: string): Failure {
  return failure('CANCELLED', `The host is closed: ${what}. Open a new host to go on.`)
}

/** The same for a call that was to be checked. */
export function reportClosed(): CheckReport {
  const { code, text } = refuseClosed('nothing was checked')
  return { decision: 'deny', code, text, trace: [] }
}
