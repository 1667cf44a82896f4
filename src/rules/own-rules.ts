import type { ValidCall } from '../core/call/call.ts'
import { messageOf } from '../core/call/result.ts'
import { type CallReading, LAYERS, type Layer, type Opinion, type Rule, type RuleInForce } from '../core/rules/rule.ts'
import type { RegisteredTool } from '../core/tool/snapshot.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { isPersonal } from './in-mode.ts'

/** The layer and the source of a rule. */
export interface RuleOrigin {
  readonly layer: Layer
  readonly source: string
}

interface BoundRule extends CompiledRule, RuleOrigin {}

/** The rules beside the defaults and the grants: those of the person, the project and the program. */
export interface OwnRules {
  /** Adds a rule; throws when it is invalid. */
  add(rule: Rule, origin: RuleOrigin): void
  /** The rules that can speak of calls of a tool, weakest layer first. */
  rulesFor(entry: RegisteredTool): readonly BoundRule[]
  list(): readonly RuleInForce[]
}

/** Creates an empty set of rules of a workspace. */
export function createOwnRules(workspace: string): OwnRules {
  const rules: BoundRule[] = []
  let concerning = new WeakMap<RegisteredTool, readonly BoundRule[]>()
  return {
    add(rule, origin) {
      rules.push({ ...compileRule(rule, workspace), ...origin })
      rules.sort((a, b) => rankOf(a) - rankOf(b))
      concerning = new WeakMap()
    },
    rulesFor(entry) {
      let found = concerning.get(entry)
      if (found === undefined) {
        found = rules.filter(({ rule, concerns }) => concerns(entry) && !isExempt(entry, rule))
        concerning.set(entry, found)
      }
      return found
    },
    list: () => rules.map(({ rule, layer, source }) => ({ rule, layer, source })),
  }
}

/** Rules on writes and deletes do not count for what people do themselves. */
function isExempt(entry: RegisteredTool, { writes, deletes }: Rule): boolean {
  return isPersonal(entry) && (writes ?? deletes) !== undefined
}

function rankOf({ layer }: RuleOrigin): number {
  return layer === 'untrusted project' ? LAYERS.length : LAYERS.indexOf(layer)
}

/** Frozen, since most calls have no opinions beside the defaults. */
export const NO_OPINIONS: readonly Opinion[] = Object.freeze([])

/** Returns what each of these rules says of a call. */
export function opinionsOf(rules: readonly BoundRule[], call: ValidCall, reading: CallReading): readonly Opinion[] {
  let found: Opinion[] | undefined
  for (const bound of rules) {
    const opinion = opinionOf(bound, call, reading)
    if (opinion === undefined) continue
    found ??= []
    found.push(opinion)
  }
  return found ?? NO_OPINIONS
}

/** Returns the opinion of a rule. A rule that throws denies. */
function opinionOf(bound: BoundRule, call: ValidCall, reading: CallReading): Opinion | undefined {
  const { rule, layer } = bound
  const { name, decision } = rule
  try {
    if (!bound.matches(call, reading)) return undefined
    return { layer, rule: name, decision, reason: rule.reason ?? `the rule "${name}" matches` }
  } catch (thrown) {
    return { layer, rule: name, decision: 'deny', reason: `the rule failed: ${messageOf(thrown)}` }
  }
}
