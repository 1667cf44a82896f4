import type { Approver } from '../../core/approval/approval.ts'
import type { CheckReport } from '../../core/call/check-report.ts'
import type { Result } from '../../core/call/result.ts'
import type { ToolsOf } from './export-tools.ts'

/** Who is asked about calls that exported tools make. */
export interface ExportedCallOptions {
  /** In place of the approver of the session or host. */
  readonly approver?: Approver
  /** With nobody to ask, waits for an answer from another interface. */
  readonly wait?: boolean
}

interface CallOptions extends ExportedCallOptions {
  readonly decision?: 'allow'
  readonly by?: string
  readonly signal?: AbortSignal
}

/** What exported tools call through: a session, whose calls keep their order, or a host. */
export type ToolCaller = ToolsOf & {
  call(name: string, args?: unknown, options?: CallOptions): Promise<Result>
  check(name: string, args?: unknown): Promise<CheckReport>
}
