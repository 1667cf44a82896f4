import type { ValidCall } from '../core/call/call.ts'
import { messageOf } from '../core/call/result.ts'
import {
  type CallReading,
  type Judge,
  type Judgement,
  LAYERS,
  type Layer,
  type Opinion,
  type Rule,
  type RuleInForce,
} from '../core/rules/rule.ts'
import type { RegisteredTool } from '../core/tool/snapshot.ts'
import { type NamedTouch, type Touch, writes } from '../core/tool/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { readNamed } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { createGrantRules, type GrantSource, grantOpinion, mayBeAsked } from './grant-rules.ts'
import { judgeChanges } from './judge-changes.ts'

/** The layer and the source of a rule. */
export interface RuleOrigin {
  readonly layer: Layer
  readonly source: string
}

/** All active rules, by layer. */
export interface RuleBook extends Judge {
  /** Adds a rule; throws when it is invalid. */
  add(rule: Rule, origin: RuleOrigin): void
  /** Lists all rules, weakest layer first. */
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

/** Creates a rule book with the default rules and the grants, one for each host. The reader of command lines is loaded at the first command line. */
export function createRuleBook(location: JudgeLocation, source: GrantSource): RuleBook {
  const { workspace } = location
  const grantRules = createGrantRules(workspace, source)
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

  return {
    add(rule, origin) {
      rules.push({ ...compileRule(rule, location.workspace), ...origin })
      rules.sort((a, b) => rankOf(a) - rankOf(b))
      concerning = new WeakMap()
    },
    judge(call, touches) {
      if (touches.length === 0) {
        const opinions = opinionsOf(rulesFor(call.entry), call, NOTHING_TOUCHED)
        return withGrants(call, { reading: NOTHING_TOUCHED, opinions })
      }
      if (touches.every(isNamed)) return judgeRead(call, readNamed(touches, location))
      if (reader) return judgeRead(call, reader.readDefaults(touches, location))
      return load().then(({ readDefaults }) => judgeRead(call, readDefaults(touches, location)))
    },
    async offer(call, reading) {
      const { offerGrants } = await import('./offer-grants.ts')
      return offerGrants(call, { reading, workspace, digest: source.digestCall(call, workspace) })
    },
    findDeny(call, touch) {
      const { opinions } = withRules(call, readNamed([touch], location))
      return opinions.find(({ decision }) => decision === 'deny')
    },
    judgeChanges(call, changes) {
      const counting = rulesFor(call.entry).filter(({ rule }) => rule.paths !== undefined)
      return judgeChanges(changes, (path) => {
        const { reading, opinions } = readNamed([writes(path)], location)
        return [...opinions, ...opinionsOf(counting, call, reading)]
      })
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
