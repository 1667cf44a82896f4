import type { CheckReport } from '../../core/call/check-report.ts'
import { type Failure, failure } from '../../core/call/result.ts'

/** Returns the failure of a request to a host that is closed or being closed. */
export function refuseClosed(what: string): Failure {
  return failure('CANCELLED', `The host is closed: ${what}. Open a new host to continue.`)
}

/** Returns the report for a check on a closed host. */
export function reportClosed(): CheckReport {
  const { code, text } = refuseClosed('nothing was checked')
  return { decision: 'deny', code, text, trace: [] }
}
