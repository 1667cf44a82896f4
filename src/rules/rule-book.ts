import type { ValidCall } from '../core/call/call.ts'
import { decide } from '../core/rules/decide.ts'
import type { ArgumentRules, CallReading, Judge, Judgement, Rule, RuleInForce } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import { connects, type NamedTouch, type Touch } from '../core/tool/touch.ts'
import { readNamed } from './defaults/judge-touches.ts'
import type { JudgeLocation } from './defaults/path-zones.ts'
import { knownExistence } from './existence.ts'
import { createGrantRules, type GrantSource, grantOpinion, mayBeAsked } from './grant-rules.ts'
import { judgeChanges } from './judge-changes.ts'
import { namesChanges } from './match-effects.ts'
import { inMode, withoutOwnAct } from './modes/in-mode.ts'
import { createOwnRules, NO_OPINIONS, opinionsOf, type RuleOrigin } from './own-rules.ts'
import type { PatternEngine } from './patterns.ts'

/** All active rules, by layer. */
export interface RuleBook extends Judge, ArgumentRules {
  /** Adds a rule; throws when it is invalid, PatternError when one of its patterns is. The engine is JavaScript's own when left out. */
  add(rule: Rule, origin: RuleOrigin, engine?: PatternEngine): void
  /** Replaces the rules that the same source gave before. Returns what is not a rule and why; the others count. */
  replace(rules: readonly Rule[], origin: RuleOrigin): readonly string[]
  /** Lists all rules, weakest layer first; the defaults as they are in a mode. */
  list(mode?: Mode): Promise<readonly RuleInForce[]>
  /** Returns a function that tells whether a rule beside the defaults denies commands to read a path, relative to the workspace; undefined where none does. The same function while the rules stay. */
  deniesReading(): ((path: string) => boolean) | undefined
}

type Reader = typeof import('./default-opinions.ts')

const NOTHING_TOUCHED: CallReading = Object.freeze({
  ...{ touches: [], commands: [], acts: [], words: [] },
  isClear: true,
  needsNetwork: false,
})
const NOTHING_READ: Judgement = Object.freeze({ reading: NOTHING_TOUCHED, opinions: NO_OPINIONS })

/** Creates a rule book with the default rules and the grants, one for each host. The reader of command lines is loaded at the first command line. */
export function createRuleBook(location: JudgeLocation, source: GrantSource): RuleBook {
  const { workspace } = location
  const grantRules = createGrantRules(location, source)
  const own = createOwnRules(workspace)
  let reader: Reader | undefined

  const load = async (): Promise<Reader> => {
    reader ??= await import('./default-opinions.ts')
    return reader
  }
  const withRules = (call: ValidCall, read: Judgement): Judgement => {
    const defaults = withoutOwnAct(call.entry, read.opinions)
    const others = opinionsOf(own.rulesFor(call.entry), call, read.reading)
    return others.length === 0 && defaults === read.opinions ? read : { ...read, opinions: [...defaults, ...others] }
  }
  const judgeRead = (call: ValidCall, read: Judgement): Judgement | Promise<Judgement> => {
    const judgement = inMode(call, withRules(call, read))
    return mayBeAsked(call.entry, judgement.opinions) ? addGrants(call, judgement) : judgement
  }
  const addGrants = async (call: ValidCall, judgement: Judgement): Promise<Judgement> => {
    const { reading, opinions: others } = judgement
    const granted = grantOpinion(await grantRules(), { call, reading, others })
    return granted ? { ...judgement, opinions: [...others, granted] } : judgement
  }

  return {
    add: own.add,
    replace: own.replace,
    deniesReading: own.deniesReading,
    judge(call, touches, known) {
      if (touches.length === 0) return judgeRead(call, NOTHING_READ)
      const existence = known && knownExistence(known, workspace)
      if (touches.every(isNamed)) return judgeRead(call, readNamed(touches, location, existence))
      if (reader) return judgeRead(call, reader.readDefaults(touches, location, existence))
      return load().then(({ readDefaults }) => judgeRead(call, readDefaults(touches, location, existence)))
    },
    async offer(call, reading) {
      const { offerGrants } = await import('./offer-grants.ts')
      return offerGrants(call, { reading, workspace, digest: source.digestCall(call, workspace) })
    },
    findDeny(call, touch) {
      const { opinions } = withRules(call, readNamed([touch], location))
      return opinions.find(({ decision }) => decision === 'deny')
    },
    allowsHost(call, host) {
      const counting = own.rulesFor(call.entry).filter(({ rule }) => rule.hosts !== undefined)
      if (counting.length === 0) return false
      const { runs, commands } = readCommands(call, { reader, location })
      const { reading } = readNamed([connects(host)], location)
      const touches = [...runs, ...reading.touches]
      return decide(opinionsOf(counting, call, { ...reading, touches, commands })).decision === 'allow'
    },
    namesHosts: (entry) =>
      own.rulesFor(entry).some(({ rule }) => rule.hosts !== undefined && rule.decision === 'allow'),
    judgeChanges(call, changes) {
      const counting = own.rulesFor(call.entry).filter(({ rule }) => namesChanges(rule))
      const { runs, commands } = readCommands(call, { reader, location })
      return judgeChanges(call, changes, {
        location,
        opinionsOf: ({ touches, ...read }) =>
          opinionsOf(counting, call, { ...read, touches: [...runs, ...touches], commands }),
      })
    },
    findRuleOn: (entry, names) =>
      own.rulesFor(entry).find(({ rule }) => looksAt(rule, names, entry.tool.main))?.rule.name,
    list: async (mode) => [
      ...(await load()).listDefaults(mode),
      ...own.list(),
      ...(await grantRules()).map(({ rule }) => ({ rule, layer: 'grants' as const, source: 'grants.toml' })),
    ],
  }
}

function looksAt({ arguments: patterns, forbidden, main }: Rule, names: readonly string[], field?: string): boolean {
  if (forbidden !== undefined || names.some((name) => patterns?.[name] !== undefined)) return true
  return main !== undefined && field !== undefined && names.includes(field)
}

interface ReadCommands {
  readonly runs: readonly Touch[]
  readonly commands: CallReading['commands']
}

const NO_COMMANDS: ReadCommands = { runs: [], commands: [] }

/** Reads the command lines of a call that ran, for rules that name both commands and changes. None where the tool does not tell them at once. */
function readCommands(
  { entry, input }: ValidCall,
  { reader, location }: { readonly reader: Reader | undefined; readonly location: JudgeLocation },
): ReadCommands {
  try {
    const touches = entry.tool.touches?.(input)
    if (reader === undefined || touches === undefined || touches instanceof Promise) return NO_COMMANDS
    const runs = touches.filter((touch) => !isNamed(touch))
    return { runs, commands: reader.readDefaults(runs, location).reading.commands }
  } catch {
    // The call was judged by its touches before it ran; the rules on changes alone still count.
    return NO_COMMANDS
  }
}

function isNamed(touch: Touch): touch is NamedTouch {
  return touch.kind !== 'runs'
}
