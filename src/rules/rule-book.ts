import type { ValidCall } from '../core/call.ts'
import type { Grants } from '../core/grant.ts'
import { messageOf } from '../core/result.ts'
import {
  type CallReading,
  type Judge,
  type Judgement,
  LAYERS,
  type Layer,
  type Opinion,
  type Rule,
  type RuleInForce,
} from '../core/rule.ts'
import type { RegisteredTool } from '../core/snapshot.ts'
import type { Touch } from '../core/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import type { JudgePlace } from './defaults/judge-shell.ts'
import { createGrantRules, type DigestCall, grantOpinion, mayBeAsked } from './grant-rules.ts'

/** Where a rule stands. */
export interface RuleOrigin {
  readonly layer: Layer
  readonly source: string
}

/** All rules in force, by layer. */
export interface RuleBook extends Judge {
  /** Adds a rule; throws where it is not one. */
  add(rule: Rule, origin: RuleOrigin): void
  /** Every rule, weakest layer first. */
  list(): Promise<readonly RuleInForce[]>
}

interface BoundRule extends CompiledRule, RuleOrigin {}

type Reader = typeof import('./default-opinions.ts')

const NO_OPINIONS: readonly Opinion[] = Object.freeze([])
const NOTHING_TOUCHED: CallReading = Object.freeze({
  ...{ touches: [], commands: [], acts: [], words: [] },
  isClear: true,
  needsNetwork: false,
})

/** What people have granted, and how an exact grant knows its call again. */
export interface GrantSource {
  readonly grants: Grants
  readonly digestCall: DigestCall
}

/** Makes a book with the default rules and the grants; each host has its own. The readers of command lines and paths are loaded at the first use. */
export function createRuleBook(place: JudgePlace, { grants, digestCall }: GrantSource): RuleBook {
  const { workspace } = place
  const grantRules = createGrantRules({ workspace, grants, digestCall })
  const rules: BoundRule[] = []
  let concerning = new WeakMap<RegisteredTool, readonly BoundRule[]>()
  let reader: Reader | undefined

  const load = async (): Promise<Reader> => {
    reader ??= await import('./default-opinions.ts')
    return reader
  }
  const rulesFor = (entry: RegisteredTool): readonly BoundRule[] => {
    let found = concerning.get(entry)
    if (found === undefined) {
      found = rules.filter((rule) => rule.concerns(entry))
      concerning.set(entry, found)
    }
    return found
  }
  const judgeWith = (call: ValidCall, touches: readonly Touch[], { readDefaults }: Reader): Judgement => {
    const { reading, opinions } = readDefaults(touches, place)
    return withGrants(call, { reading, opinions: [...opinions, ...opinionsOf(rulesFor(call.entry), call, reading)] })
  }
  const withGrants = (call: ValidCall, judgement: Judgement): Judgement => {
    const { reading, opinions: others } = judgement
    if (!mayBeAsked(call.entry, others)) return judgement
    const granted = grantOpinion(grantRules(), { call, reading, others })
    return granted ? { reading, opinions: [...others, granted] } : judgement
  }

  return {
    add(rule, origin) {
      rules.push({ ...compileRule(rule, place.workspace), ...origin })
      rules.sort((a, b) => rankOf(a) - rankOf(b))
      concerning = new WeakMap()
    },
    judge(call, touches) {
      if (touches.length === 0) {
        const opinions = opinionsOf(rulesFor(call.entry), call, NOTHING_TOUCHED)
        return withGrants(call, { reading: NOTHING_TOUCHED, opinions })
      }
      return reader ? judgeWith(call, touches, reader) : load().then((loaded) => judgeWith(call, touches, loaded))
    },
    async offer(call, reading) {
      const { offerGrants } = await import('./offer-grants.ts')
      return offerGrants(call, { reading, workspace, digest: digestCall(call, workspace) })
    },
    denies(call, touch) {
      const judged = reader && judgeWith(call, [touch], reader)
      return judged?.opinions.some(({ decision }) => decision === 'deny') ?? false
    },
    list: async () => [
      ...(await load()).listDefaults(),
      ...rules.map(({ rule, layer, source }) => ({ rule, layer, source })),
      ...grantRules().map(({ rule }) => ({ rule, layer: 'grants' as const, source: 'grants.toml' })),
    ],
  }
}

function rankOf({ layer }: RuleOrigin): number {
  return layer === 'untrusted project' ? LAYERS.length : LAYERS.indexOf(layer)
}

function opinionsOf(rules: readonly BoundRule[], call: ValidCall, reading: CallReading): readonly Opinion[] {
  let said: Opinion[] | undefined
  for (const bound of rules) {
    const opinion = opinionOf(bound, call, reading)
    if (opinion === undefined) continue
    said ??= []
    said.push(opinion)
  }
  return said ?? NO_OPINIONS
}

/** What a rule says; one that throws denies, under its own name. */
function opinionOf(bound: BoundRule, call: ValidCall, reading: CallReading): Opinion | undefined {
  const { rule, layer } = bound
  const { name, decision } = rule
  try {
    if (!bound.matches(call, reading)) return undefined
    return { layer, rule: name, decision, reason: rule.reason ?? `the rule "${name}" says so` }
  } catch (thrown) {
    return { layer, rule: name, decision: 'deny', reason: `the rule failed: ${messageOf(thrown)}` }
  }
}
