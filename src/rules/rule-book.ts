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
import { DEFAULT_MODE } from '../core/session/mode.ts'
import type { RegisteredTool } from '../core/tool/snapshot.ts'
import type { NamedTouch, Touch } from '../core/tool/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { readNamed } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { createGrantRules, type GrantSource, grantOpinion, mayBeAsked } from './grant-rules.ts'
import { judgeChanges } from './judge-changes.ts'
import { namesChanges } from './match-effects.ts'
import { answerByMode, MODE_RULES, PLAN_DENY } from './modes.ts'
import { onlyLooks } from './only-looks.ts'

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

const NO_COMMANDS = { runs: [], read: [] } as const
const NOTHING_READ: Judgement = Object.freeze({ reading: NOTHING_TOUCHED, opinions: NO_OPINIONS })

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
  const withRules = (call: ValidCall, { reading, opinions, learned }: Judgement): Judgement => ({
    reading,
    ...(learned && { learned }),
    opinions: [...opinions, ...opinionsOf(rulesFor(call.entry), call, reading)],
  })
  const judgeRead = (call: ValidCall, read: Judgement) => withGrants(call, inMode(call, withRules(call, read)))
  /** The command lines of a call that ran, for rules that name both commands and changes. */
  const readCommands = ({ entry, input }: ValidCall) => {
    const touches = entry.tool.touches?.(input)
    if (reader === undefined || touches === undefined || touches instanceof Promise) return NO_COMMANDS
    const runs = touches.filter((touch) => !isNamed(touch))
    return { runs, read: reader.readDefaults(runs, location).reading.commands }
  }
  const withGrants = (call: ValidCall, judgement: Judgement): Judgement | Promise<Judgement> =>
    mayBeAsked(call.entry, judgement.opinions) ? addGrants(call, judgement) : judgement
  const addGrants = async (call: ValidCall, judgement: Judgement): Promise<Judgement> => {
    const { reading, opinions: others } = judgement
    const granted = grantOpinion(await grantRules(), { call, reading, others })
    return granted ? { ...judgement, opinions: [...others, granted] } : judgement
  }

  return {
    add(rule, origin) {
      rules.push({ ...compileRule(rule, location.workspace), ...origin })
      rules.sort((a, b) => rankOf(a) - rankOf(b))
      concerning = new WeakMap()
    },
    judge(call, touches) {
      if (touches.length === 0) return judgeRead(call, NOTHING_READ)
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
      const counting = rulesFor(call.entry).filter(({ rule }) => namesChanges(rule))
      const commands = counting.length > 0 ? readCommands(call) : NO_COMMANDS
      return judgeChanges(call, changes, {
        location,
        opinionsOf: ({ touches, ...read }) =>
          opinionsOf(counting, call, { ...read, touches: [...commands.runs, ...touches], commands: commands.read }),
      })
    },
    list: async () => [
      ...(await load()).listDefaults(),
      ...rules.map(({ rule, layer, source }) => ({ rule, layer, source })),
      ...(await grantRules()).map(({ rule }) => ({ rule, layer: 'grants' as const, source: 'grants.toml' })),
    ],
  }
}

/** What the mode of a call makes of the opinions about it. */
function inMode(call: ValidCall, judgement: Judgement): Judgement {
  const { mode = DEFAULT_MODE } = call
  if (mode === DEFAULT_MODE) return judgement
  const { reading, opinions } = judgement
  if (!MODE_RULES[mode].onlyLooks)
    return { ...judgement, opinions: answerByMode(opinions, mode, reading.commands.length > 0) }
  return onlyLooks(call, reading) ? judgement : { ...judgement, opinions: [...opinions, PLAN_DENY] }
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
