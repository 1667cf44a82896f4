import { matchesGlob } from 'node:path'
import type { ValidCall } from '../core/call/call.ts'
import type { CallReading, Rule } from '../core/rules/rule.ts'
import { insidePath } from '../core/text/paths.ts'
import type { Touch } from '../core/tool/touch.ts'
import type { PatternEngine } from './patterns.ts'

/** One condition of a rule. */
export type Test = (call: ValidCall, reading: CallReading) => boolean

/** An allow must match every item of a clearly read call; an ask or deny must match one. */
export function counts({ decision }: Rule, { isClear }: CallReading, fits: readonly boolean[]): boolean {
  if (decision !== 'allow') return fits.includes(true)
  return isClear && fits.length > 0 && !fits.includes(false)
}

/** Returns the conditions of a rule on what a call touches: `reads`, `writes`, `deletes`, `paths` and `hosts`. */
export function effectTests(rule: Rule, workspace: string, engine: PatternEngine): Test[] {
  const { name, reads, writes, deletes, paths } = rule
  for (const [member, globs] of Object.entries({ reads, writes, deletes, paths }))
    if (globs) engine.checkGlobs(globs, { rule: name, member: [member] })
  return [
    ...pathTests(rule, workspace),
    ...hostTests(rule),
    ...kindTests(rule, workspace),
    ...(rule.decision === 'allow' && namesEffects(rule) ? [coversAll(rule, workspace)] : []),
  ]
}

/** True for a rule on paths, which counts again for what a command really changed. */
export function namesChanges({ writes, deletes, paths }: Rule): boolean {
  return (writes ?? deletes ?? paths) !== undefined
}

function namesEffects({ reads, writes, deletes }: Rule): boolean {
  return (reads ?? writes ?? deletes) !== undefined
}

function pathTests(rule: Rule, workspace: string): Test[] {
  const { paths } = rule
  if (!paths) return []
  const fits = (touch: Touch) => ('path' in touch ? [matchesPath(paths, touch.path, workspace)] : [])
  return [(_, reading) => counts(rule, reading, reading.touches.flatMap(fits))]
}

/** Matches a touched path relative to the workspace. Paths outside it stay absolute. */
function matchesPath(globs: readonly string[], path: string, workspace: string): boolean {
  const shown = insidePath(workspace, path) ?? path
  return globs.some((glob) => matchesGlob(shown, glob))
}

/** One test for `reads`, `writes` and `deletes` together: each touched path is held against the globs of its kind. A delete also counts as a write for an ask or deny: what may not be changed may not be deleted either. */
function kindTests(rule: Rule, workspace: string): Test[] {
  if (!namesEffects(rule)) return []
  const { writes = [], deletes = [] } = rule
  const strictDeletes =
    rule.decision !== 'allow' && (rule.writes ?? rule.deletes) ? [...writes, ...deletes] : rule.deletes
  const fits = (touch: Touch) => {
    if (!('path' in touch)) return []
    const globs = touch.kind === 'deletes' ? strictDeletes : rule[touch.kind]
    return globs ? [matchesPath(globs, touch.path, workspace)] : []
  }
  return [(_, reading) => counts(rule, reading, reading.touches.flatMap(fits))]
}

/** True when an allow names every kind of effect that the call has: a rule on writes allows no deletion, connection or unknown program. */
function coversAll(rule: Rule, workspace: string): Test {
  const namesCommands = (rule.commands ?? rule.prefixes ?? rule.main) !== undefined
  return (_, { touches, acts }) => (namesCommands || acts.length === 0) && touches.every(isCovered)

  function isCovered(touch: Touch): boolean {
    if (touch.kind === 'runs') return true
    if (touch.kind === 'connects') return rule.hosts !== undefined
    if (rule[touch.kind] !== undefined || rule.paths !== undefined || touch.path === '/dev/null') return true
    return touch.kind === 'reads' && insidePath(workspace, touch.path) !== undefined
  }
}

function hostTests(rule: Rule): Test[] {
  const { hosts } = rule
  if (!hosts) return []
  const fits = (touch: Touch) => ('host' in touch ? [hosts.some((host) => fitsHost(touch.host, host))] : [])
  return [(_, reading) => counts(rule, reading, reading.touches.flatMap(fits))]
}

/** Matches a host; `*.example.com` matches subdomains, not example.com itself. */
function fitsHost(host: string, pattern: string): boolean {
  const [given, wanted] = [host.toLowerCase(), pattern.toLowerCase()]
  return wanted.startsWith('*.') ? given.endsWith(wanted.slice(1)) : given === wanted
}
