import type { ValidCall } from '../../core/call/call.ts'
import type { Decision, Opinion } from '../../core/rules/rule.ts'
import type { Parts } from '../request.ts'

/** The decision about a call, and the decisions of all rules that matched. */
export interface Decided {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
}

/** Logs the decision about a call, with its arguments if the tool's schema changed them. */
export function logVerdict(call: ValidCall, decided: Decided, { emit }: Pick<Parts, 'emit'>): void {
  const { session, id, shown } = call
  const { decision, rule, reason, trace } = decided
  const judged = { type: 'call-judged', session, call: id, decision, rule, reason, trace } as const
  emit(shown === call.arguments ? judged : { ...judged, arguments: shown })
}
