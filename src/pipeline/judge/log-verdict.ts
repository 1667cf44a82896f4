import type { ValidCall } from '../../core/call/call.ts'
import type { Decision, Opinion } from '../../core/rules/rule.ts'
import type { Parts } from '../request.ts'

/** What was decided about a call, and what each rule said. */
export interface Decided {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
}

/** Logs the decision about a call; with its arguments where the tool's schema made others of those that were sent. */
export function logVerdict(call: ValidCall, decided: Decided, { emit }: Pick<Parts, 'emit'>): void {
  const { session, id, shown } = call
  const { decision, rule, reason, trace } = decided
  const judged = { type: 'call-judged', session, call: id, decision, rule, reason, trace } as const
  emit(shown === call.arguments ? judged : { ...judged, arguments: shown })
}
