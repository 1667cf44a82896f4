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
import type { NamedTouch, Touch } from '../core/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import type { JudgePlace } from './defaults/judge-shell.ts'
import { readNamed } from './defaults/judge-touches.ts'
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
  /** Puts these rules in the place of those that the same source gave before. Returns what is no rule and why; the others count. */
  replace(rules: readonly Rule[], origin: RuleOrigin): readonly string[]
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

/** Makes a book with the default rules and the grants; each host has its own. Paths and hosts are judged at once; the reader of command lines is loaded for the first one. */
export function createRuleBook(place: JudgePlace, { grants, digestCall }: GrantSource): RuleBook {
  const { workspace } = place
  const grantRules = createGrantRules({ workspace, grants, digestCall })
  let rules: BoundRule[] = []
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
  const withRules = (call: ValidCall, { reading, opinions }: Judgement): Judgement => ({
    reading,
    opinions: [...opinions, ...opinionsOf(rulesFor(call.entry), call, reading)],
  })
  const judgeRead = (call: ValidCall, read: Judgement) => withGrants(call, withRules(call, read))
  const withGrants = (call: ValidCall, judgement: Judgement): Judgement | Promise<Judgement> =>
    mayBeAsked(call.entry, judgement.opinions) ? addGrants(call, judgement) : judgement
  const addGrants = async (call: ValidCall, judgement: Judgement): Promise<Judgement> => {
    const { reading, opinions: others } = judgement
    const granted = grantOpinion(await grantRules(), { call, reading, others })
    return granted ? { reading, opinions: [...others, granted] } : judgement
  }

  const add = (rule: Rule, origin: RuleOrigin): void => {
    rules.push({ ...compileRule(rule, place.workspace), ...origin })
    rules.sort((a, b) => rankOf(a) - rankOf(b))
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
    judge(call, touches) {
      if (touches.length === 0) {
        const opinions = opinionsOf(rulesFor(call.entry), call, NOTHING_TOUCHED)
        return withGrants(call, { reading: NOTHING_TOUCHED, opinions })
      }
      if (touches.every(isNamed)) return judgeRead(call, readNamed(touches, place))
      if (reader) return judgeRead(call, reader.readDefaults(touches, place))
      return load().then(({ readDefaults }) => judgeRead(call, readDefaults(touches, place)))
    },
    async offer(call, reading) {
      const { offerGrants } = await import('./offer-grants.ts')
      return offerGrants(call, { reading, workspace, digest: digestCall(call, workspace) })
    },
    findDeny(call, touch) {
      const { opinions } = withRules(call, readNamed([touch], place))
      return opinions.find(({ decision }) => decision === 'deny')
    },
    list: async () => [
      ...(await load()).listDefaults(),
      ...rules.map(({ rule, layer, source }) => ({ rule, layer, source })),
      ...(await grantRules()).map(({ rule }) => ({ rule, layer: 'grants' as const, source: 'grants.toml' })),
    ],
  }
}

function isNamed(touch: Touch): touch is NamedTouch {
  return touch.kind !== 'runs'
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
