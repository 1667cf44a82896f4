import type { ValidCall } from '../../core/call/call.ts'
import { isFailure } from '../../core/call/result.ts'
import type { PathKind } from '../../core/ports/path-lookup.ts'
import type { ArgumentRules, Decision, Judge } from '../../core/rules/rule.ts'
import type { Event } from '../../core/session/event.ts'
import { DEFAULT_MODE, type Mode } from '../../core/session/mode.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { parse } from '../parse/parse.ts'
import { settleDecision } from '../prepare/prepare.ts'
import { validateArguments } from '../validate/validate.ts'
import { judgeCall } from './judge.ts'
import { wasMasked, withoutMasks } from './without-masks.ts'

/** What was decided about a call, and by which rule. */
export interface Replayed {
  readonly decision: Decision
  readonly rule: string
  readonly reason: string
}

/** A call of the log, as it was judged then. */
export interface JudgedCall {
  readonly call: string
  readonly session: string
  readonly tool: string
  /** As they were sent, with secrets masked. */
  readonly arguments: unknown
  readonly mode: Mode
  readonly existence: Readonly<Record<string, PathKind>>
  readonly was: Replayed
  /** True once it had passed the commit point. */
  readonly ran: boolean
}

/** Returns a call from its events; undefined where it was not judged. */
export function findJudged(events: readonly Event[]): JudgedCall | undefined {
  const start = events.find((event) => event.type === 'call-start')
  const judged = events.findLast((event) => event.type === 'call-judged')
  if (start === undefined || judged === undefined) return undefined
  const { decision, rule, reason, mode = DEFAULT_MODE, existence = {} } = judged
  return {
    call: start.call,
    session: start.session,
    tool: start.name,
    arguments: findEdited(events.slice(0, events.indexOf(judged))) ?? start.arguments,
    mode,
    existence,
    was: { decision, rule, reason },
    ran: events.some((event) => event.type === 'call-run'),
  }
}

/** Returns the arguments that a person gave in place of those that were sent, if any. */
function findEdited(events: readonly Event[]): unknown {
  const answer = events.findLast((event) => event.type === 'approval-answer')
  return answer?.reply.approved === true ? answer.reply.modifiedArgs : undefined
}

/** What replaying needs of the rules of now. */
export interface ReplayRules {
  readonly snapshot: Snapshot
  readonly judge: Judge & ArgumentRules
  readonly mode: Mode
}

/** Judges a call of the log again; runs nothing. A text says why it cannot be judged: the log holds masks in place of secrets, and a rule that looks at a masked text would judge something else. Where no rule speaks and the tool itself decided, its word of then counts. */
export async function replayCall(
  judged: JudgedCall,
  { snapshot, judge, mode }: ReplayRules,
): Promise<Replayed | string> {
  const { call: id, session, tool: name } = judged
  const sent = withoutMasks(judged.arguments)
  const parsed = await parse({ id, session, name, arguments: sent, mode }, snapshot)
  if (isFailure(parsed)) return parsed.text
  const validated = await validateArguments(parsed, snapshot)
  if (isFailure(validated)) return validated.text
  const unknown = await whyUnknown(validated.call, judge)
  if (unknown !== undefined) return unknown
  const known = { paths: judged.existence, otherwise: 'unknown' } as const
  const again = await judgeCall(validated.call, judge, known)
  const { decision, rule, reason } = again.verdict
  if (decision === 'deny') return { decision, rule, reason }
  const wasTool = judged.was.rule === 'tool approval'
  const asks = wasTool ? judged.was.decision === 'ask' : validated.call.entry.tool.approval && true
  return settleDecision(validated.call, again, asks)
}

/** Says why the verdict on a call with masked arguments cannot be known; undefined where no rule looks at them. */
async function whyUnknown(call: ValidCall, judge: ArgumentRules): Promise<string | undefined> {
  const { entry, input } = call
  const names = Object.keys(call.arguments).filter((name) => wasMasked(call.arguments[name]))
  if (names.length === 0) return undefined
  const list = names.join(', ')
  const rule = judge.findRuleOn(entry, names)
  if (rule !== undefined) return `the rule "${rule}" looks at ${list}, which the log holds only masked`
  const isTouched = wasMasked((await entry.tool.touches?.(input)) ?? [])
  return isTouched ? `what it touches depends on ${list}, which the log holds only masked` : undefined
}
