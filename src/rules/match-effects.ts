import { matchesGlob } from 'node:path'
import type { ValidCall } from '../core/call/call.ts'
import { coversHost } from '../core/network/web-host.ts'
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

/** Returns a function that tells whether a rule alone denies commands to read a path, whatever the command is; undefined where it does not. */
export function readDenyOf(rule: Rule): ((path: string) => boolean) | undefined {
  const { decision, reads, paths, tools, effects, origins } = rule
  const others = [rule.hosts, rule.arguments, rule.main, rule.commands, rule.prefixes, rule.forbidden, rule.when]
  const conditions = [reads, paths].filter((globs) => globs !== undefined)
  if (decision !== 'deny' || conditions.length === 0 || others.some((other) => other !== undefined)) return undefined
  if (tools !== undefined && !tools.some(isCommandTool)) return undefined
  if (effects?.includes('run') === false || origins?.includes('built-in') === false) return undefined
  return (path) => conditions.every((globs) => globs.some((glob) => coversGlob(path, glob)))
}

/** The tools that run commands of any kind, by all their names. */
const COMMAND_TOOLS = ['shell', 'run_command', 'run_code']

function isCommandTool(name: string): boolean {
  return COMMAND_TOOLS.some((tool) => (name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool === name))
}

function pathTests(rule: Rule, workspace: string): Test[] {
  const { paths } = rule
  if (!paths) return []
  const matches = createPathMatch(rule, workspace)
  const fits = (touch: Touch) => ('path' in touch ? [matches(paths, touch.path)] : [])
  return [(_, reading) => counts(rule, reading, reading.touches.flatMap(fits))]
}

/** Returns a function that matches a touched path relative to the workspace. Paths outside it stay absolute. For an ask or deny, `src/**` also matches `src` itself: whoever deletes or fills the folder touches what is in it. */
function createPathMatch({ decision }: Rule, workspace: string): (globs: readonly string[], path: string) => boolean {
  return (globs, path) => {
    const shown = insidePath(workspace, path) ?? path
    const isCovered = (glob: string) => decision !== 'allow' && (coversGlob(shown, glob) || glob === `${shown}/**`)
    return globs.some((glob) => matchesGlob(shown, glob) || isCovered(glob))
  }
}

/** Matches as `matchesGlob` does, but stars also match names that start with a dot: a deny on `src/**` covers `src/.env`. */
export function coversGlob(path: string, glob: string): boolean {
  return matchesGlob(showDots(path), showDots(glob))
}

/** Replaces the dot at the start of names by a character that stars match. */
const showDots = (path: string): string => path.replace(/(^|[/{,(|])\.(?=[^./])/g, '$1\uE000')

/** One test for `reads`, `writes` and `deletes` together: each touched path is held against the globs of its kind. A delete also counts as a write for an ask or deny: what may not be changed may not be deleted either. */
function kindTests(rule: Rule, workspace: string): Test[] {
  if (!namesEffects(rule)) return []
  const { writes = [], deletes = [] } = rule
  const strictDeletes =
    rule.decision !== 'allow' && (rule.writes ?? rule.deletes) ? [...writes, ...deletes] : rule.deletes
  const matches = createPathMatch(rule, workspace)
  const fits = (touch: Touch) => {
    if (!('path' in touch)) return []
    const globs = touch.kind === 'deletes' ? strictDeletes : rule[touch.kind]
    return globs ? [matches(globs, touch.path)] : []
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
  const fits = (touch: Touch) =>
    'host' in touch ? [hosts.some((host) => coversHost(host, touch.host, rule.decision))] : []
  return [(_, reading) => counts(rule, reading, reading.touches.flatMap(fits))]
}
