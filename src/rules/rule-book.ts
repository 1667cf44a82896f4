import type { ValidCall } from '../core/call.ts'
import { messageOf } from '../core/result.ts'
import { type Judge, LAYERS, type Layer, type Opinion, type Rule } from '../core/rule.ts'
import type { RegisteredTool } from '../core/snapshot.ts'
import type { Touch } from '../core/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'

/** All rules in force, by layer. */
export interface RuleBook extends Judge {
  /** Adds a rule to a layer; throws where it is not one. */
  add(rule: Rule, layer: Layer): void
}

interface BoundRule extends CompiledRule {
  readonly layer: Layer
}

const NO_OPINIONS: readonly Opinion[] = Object.freeze([])

/** Makes an empty book for a workspace; each host has its own. */
export function createRuleBook(workspace: string): RuleBook {
  const rules: BoundRule[] = []
  let concerning = new WeakMap<RegisteredTool, readonly BoundRule[]>()

  const rulesFor = (entry: RegisteredTool): readonly BoundRule[] => {
    let found = concerning.get(entry)
    if (found === undefined) {
      found = rules.filter((rule) => rule.concerns(entry))
      concerning.set(entry, found)
    }
    return found
  }

  return {
    add(rule, layer) {
      rules.push({ ...compileRule(rule, workspace), layer })
      rules.sort((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer))
      concerning = new WeakMap()
    },
    opinions(call, touches) {
      let said: Opinion[] | undefined
      for (const bound of rulesFor(call.entry)) {
        const opinion = opinionOf(bound, call, touches)
        if (opinion === undefined) continue
        said ??= []
        said.push(opinion)
      }
      return said ?? NO_OPINIONS
    },
  }
}

/** What a rule says; one that throws denies, under its own name. */
function opinionOf(bound: BoundRule, call: ValidCall, touches: readonly Touch[]): Opinion | undefined {
  const { rule, layer } = bound
  const { name, decision } = rule
  try {
    if (!bound.matches(call, touches)) return undefined
    return { layer, rule: name, decision, reason: rule.reason ?? `the rule "${name}" says so` }
  } catch (thrown) {
    return { layer, rule: name, decision: 'deny', reason: `the rule failed: ${messageOf(thrown)}` }
  }
}
