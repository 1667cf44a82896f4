import type { ValidCall } from '../core/call/call.ts'
import { messageOf } from '../core/call/result.ts'
import { type CallReading, LAYERS, type Layer, type Opinion, type Rule, type RuleInForce } from '../core/rules/rule.ts'
import type { RegisteredTool } from '../core/tool/snapshot.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { readDenyOf } from './match-effects.ts'
import { isPersonal } from './modes/in-mode.ts'
import type { PatternEngine } from './patterns.ts'

/** The layer and the source of a rule. */
export interface RuleOrigin {
  readonly layer: Layer
  readonly source: string
}

interface BoundRule extends CompiledRule, RuleOrigin {}

/** The rules beside the defaults and the grants: those of the person, the project and the program. */
export interface OwnRules {
  /** Adds a rule; throws when it is invalid, PatternError when one of its patterns is. The engine is JavaScript's own when left out. */
  add(rule: Rule, origin: RuleOrigin, engine?: PatternEngine): void
  /** Replaces the rules that the same source gave before. Returns what is not a rule and why; the others count. */
  replace(rules: readonly Rule[], origin: RuleOrigin): readonly string[]
  /** The rules that can speak of calls of a tool, weakest layer first. */
  rulesFor(entry: RegisteredTool): readonly BoundRule[]
  list(): readonly RuleInForce[]
  /** Returns a function that tells whether a rule denies commands to read a path of the workspace; undefined where none does, the same one while the rules stay. */
  deniesReading(): ((path: string) => boolean) | undefined
}

/** Creates an empty set of rules of a workspace. */
export function createOwnRules(workspace: string): OwnRules {
  let rules: BoundRule[] = []
  let concerning = new WeakMap<RegisteredTool, readonly BoundRule[]>()
  let denied: { readonly rules: readonly BoundRule[]; readonly denies: DeniesReading | undefined } | undefined
  const add: OwnRules['add'] = (rule, origin, engine) => {
    rules = [...rules, { ...compileRule(rule, workspace, engine), ...origin }].sort((a, b) => rankOf(a) - rankOf(b))
    concerning = new WeakMap()
  }
  return {
    add,
    replace(given, origin) {
      rules = rules.filter(({ source }) => source !== origin.source)
      concerning = new WeakMap()
      return given.flatMap((rule) => {
        try {
          add(rule, origin)
          return []
        } catch (thrown) {
          return [messageOf(thrown)]
        }
      })
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
    deniesReading() {
      if (denied?.rules !== rules) denied = { rules, denies: joinDenies(rules) }
      return denied.denies
    },
  }
}

type DeniesReading = (path: string) => boolean

function joinDenies(rules: readonly BoundRule[]): DeniesReading | undefined {
  const all = rules.flatMap(({ rule }) => readDenyOf(rule) ?? [])
  return all.length === 0 ? undefined : (path) => all.some((denies) => denies(path))
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
