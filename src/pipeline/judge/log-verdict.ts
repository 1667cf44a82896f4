import type { Decision, Opinion } from '../../core/rules/rule.ts'
import { DEFAULT_MODE } from '../../core/session/mode.ts'
import type { Parts } from '../request.ts'
import type { Judged } from './judged.ts'

/** The decision about a call, and the decisions of all rules that matched. */
export interface Decided {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
  readonly trace: readonly Opinion[]
}

/** Logs the decision about a call, its mode and what was learned about existence; with its arguments if the tool's schema changed them. */
export function logVerdict({ call, learned }: Judged, decided: Decided, { emit }: Pick<Parts, 'emit'>): void {
  const { session, id, shown, mode = DEFAULT_MODE } = call
  const { decision, rule, reason, trace } = decided
  const judged = { type: 'call-judged', session, call: id, decision, rule, reason, trace, mode } as const
  const existence = learned !== undefined && Object.keys(learned).length > 0 ? { existence: learned } : undefined
  const parsed = shown === call.arguments ? undefined : { arguments: shown }
  emit(existence || parsed ? { ...judged, ...existence, ...parsed } : judged)
}
