import type { Opinion } from '../../core/rules/rule.ts'
import { insidePath } from '../../core/text/paths.ts'
import { type Existence, startExistence } from '../existence.ts'
import { nameSubject } from '../shell/describe-effect.ts'
import { MARKS, showText } from '../shell/marks.ts'
import type { ShellEffect, ShellReading } from '../shell/shell-reading.ts'
import { ASK_RULES } from './ask-rules.ts'
import type { DefaultRule } from './default-rule.ts'
import { DENY_RULES } from './deny-rules.ts'
import { type JudgeLocation, type PathZones, zonesOf } from './path-zones.ts'

/** All default rules, the strictest first. */
export const DEFAULT_RULES: readonly DefaultRule[] = [...DENY_RULES, ...ASK_RULES]

/** The name of the opinion that allows a command line when no rule applies. */
export const EVERYDAY_RULE = 'everyday_commands'

const EVERYDAY: readonly Opinion[] = Object.freeze([
  Object.freeze({ layer: 'defaults', rule: EVERYDAY_RULE, decision: 'allow', reason: 'everyday commands' } as const),
])

/** Judges a command line: returns every deny and ask with its cause, or one allow. Never empty. */
export function judgeShell(
  reading: ShellReading,
  location: JudgeLocation,
  existence: Existence = startExistence(location.lookup, location.workspace),
): readonly Opinion[] {
  const opinions = opinionsOf(reading.effects, location, existence)
  return opinions.length > 0 ? opinions : EVERYDAY
}

/** Returns the opinions of the default rules about these effects, the strictest first, one for each rule. */
export function opinionsOf(
  effects: readonly ShellEffect[],
  location: JudgeLocation,
  existence: Existence,
): readonly Opinion[] {
  const opinions: [DefaultRule, Opinion][] = []
  for (const effect of effects) {
    for (const found of fittingRules(effect, location)) {
      const rule = found.decision === 'deny' && effect.isGuess ? UNCERTAIN : found
      if (opinions.some(([known]) => known === rule)) continue
      if (rule.existing && 'path' in effect && !losesWork(effect, existence)) continue
      opinions.push([rule, opinionOf(rule, effect, location)])
    }
  }
  if (opinions.length > 1) opinions.sort(([a], [b]) => rankOf(a) - rankOf(b))
  return opinions.map(([, opinion]) => opinion)
}

/** What a guess comes to where a rule would deny: a deny needs a certain reading. */
const UNCERTAIN = DEFAULT_RULES.find(({ name }) => name === 'ask_uncertain') as DefaultRule

/** True when a change may lose something: it is no everyday one, and something is there; of a folder, only where all of it is meant, or where files are put into it and it is not empty. */
function losesWork({ kind, path, tree, isEveryday, fills, source }: PathEffect, existence: Existence): boolean {
  if (isEveryday || (source !== undefined && existence.kindOf(source) === 'none')) return false
  if (fills) return existence.kindOf(`${path}/${MARKS.deep}`) !== 'none'
  const found = existence.kindOf(path)
  return found === 'folder' ? tree || kind === 'deletes' : found !== 'none'
}

const RANKS: ReadonlyMap<DefaultRule, number> = new Map(DEFAULT_RULES.map((rule, rank) => [rule, rank]))

function rankOf(rule: DefaultRule): number {
  return RANKS.get(rule) ?? 0
}

const byKind = new Map<string, readonly DefaultRule[]>()

/** Returns the rules that can apply to an effect of this kind. */
function rulesFor(effect: ShellEffect): readonly DefaultRule[] {
  const key = effect.kind === 'act' ? `act ${effect.act}` : effect.kind
  const kept = byKind.get(key)
  if (kept !== undefined) return kept
  const rules = DEFAULT_RULES.filter((rule) => {
    if (effect.kind === 'act') return rule.acts?.includes(effect.act) === true
    if (effect.kind === 'connects') return rule.hosts !== undefined || rule.ports !== undefined
    return rule.uses?.includes(effect.kind) === true
  })
  byKind.set(key, rules)
  return rules
}

/** The reason of an ask about files whose names are known only once an archive or patch is opened. */
const MAY_OVERWRITE = 'files in {} may be overwritten'

function opinionOf(rule: DefaultRule, effect: ShellEffect, { workspace }: JudgeLocation): Opinion {
  const inside = 'path' in effect ? insidePath(workspace, effect.path) : undefined
  const shown = 'path' in effect && inside !== undefined ? { ...effect, path: inside } : effect
  const reason = rule.existing && 'path' in effect && effect.fills ? MAY_OVERWRITE : rule.reason
  return { layer: 'defaults', rule: rule.name, decision: rule.decision, reason: explain(reason, shown) }
}

/** Puts what the effect is about into the reason of a rule. */
function explain(reason: string, effect: ShellEffect): string {
  if (reason.includes('{}') && 'path' in effect) return reason.replace('{}', () => showText(effect.path))
  const subject = nameSubject(effect)
  if (reason.includes('{}')) return reason.replace('{}', () => subject)
  return subject === '' ? reason : `${reason} (${subject})`
}

function fittingRules(effect: ShellEffect, location: JudgeLocation): readonly DefaultRule[] {
  const rules = rulesFor(effect)
  if (effect.kind === 'act') return rules
  if (effect.kind === 'connects') return rules.filter((rule) => fitsHost(rule, effect, location))
  const zones = zonesOf(effect.path, location)
  const answers = answersOf(zones)
  const key = `${effect.kind}${effect.tree ? ' tree' : ''}${effect.isFolder ? ' folder' : ''}`
  let found = answers.get(key)
  if (found === undefined) {
    found = rules.filter((rule) => fits(rule, effect, zones))
    answers.set(key, found)
  }
  return found
}

/** A cache of the matching rules, which lives as long as the cached zones of a path. */
const fitting = new WeakMap<PathZones, Map<string, readonly DefaultRule[]>>()

function answersOf(zones: PathZones): Map<string, readonly DefaultRule[]> {
  let answers = fitting.get(zones)
  if (answers === undefined) {
    answers = new Map()
    fitting.set(zones, answers)
  }
  return answers
}

type PathEffect = Extract<ShellEffect, { path: string }>

function fits(rule: DefaultRule, effect: PathEffect, zones: PathZones): boolean {
  if (rule.tree !== undefined && rule.tree !== effect.tree) return false
  if (rule.exceptFolders && effect.isFolder) return false
  if (rule.contains && !rule.contains.some((zone) => zones.contains.has(zone) && !zones.zones.has(zone))) return false
  if (rule.areas?.includes(zones.area) === false) return false
  if (rule.except?.some((zone) => zones.zones.has(zone)) === true) return false
  const meant = effect.kind === 'lists' ? zones.zones : zones.named
  return rule.zones === undefined || rule.zones.some((zone) => meant.has(zone))
}

function fitsHost(rule: DefaultRule, effect: ShellEffect & { kind: 'connects' }, location: JudgeLocation): boolean {
  if (rule.hosts?.test(plainAddress(effect.host)) === true) return true
  if (rule.ports === undefined) return false
  const isHafts = location.haftPorts.some((port) => effect.port === port || effect.host.endsWith(`:${port}`))
  return rule.ports.includes('*') || isHafts
}

/** Normalizes an IPv4 address in any notation to four decimal numbers; returns any other host unchanged. */
function plainAddress(host: string): string {
  const parts = host.replace(/\.$/, '').split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0x[\da-f]+|\d+)$/i.test(part))) return host
  const numbers = parts.map((part) => (/^0\d/.test(part) ? Number.parseInt(part, 8) : Number(part)))
  const last = numbers.pop() ?? 0
  const missing = 4 - numbers.length
  const rest = Array.from({ length: missing }, (_, index) => Math.floor(last / 256 ** (missing - 1 - index)) % 256)
  return [...numbers, ...rest].join('.')
}
