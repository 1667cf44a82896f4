import { matchesGlob } from 'node:path'
import type { ValidCall } from '../core/call.ts'
import { insidePath } from '../core/paths.ts'
import type { Rule } from '../core/rule.ts'
import { isBelieved, type RegisteredTool } from '../core/snapshot.ts'
import { EFFECTS } from '../core/tool.ts'
import type { Touch } from '../core/touch.ts'

/** A rule made ready: first whether it concerns a tool at all, then whether it matches a call of it. */
export interface CompiledRule {
  readonly rule: Rule
  concerns(entry: RegisteredTool): boolean
  matches(call: ValidCall, touches: readonly Touch[]): boolean
}

/** Makes a rule ready for use; throws where it is not one, naming the rule and the member. */
export function compileRule(rule: Rule, workspace: string): CompiledRule {
  checkRule(rule)
  const patterns = Object.entries(rule.arguments ?? {}).map(([name, pattern]) => ({
    name,
    pattern: compilePattern(rule, name, pattern),
  }))
  const everyOrSome = rule.decision === 'allow' ? 'every' : 'some'
  const fitsPaths = (touches: readonly Touch[]) =>
    fits(pathsOf(touches, workspace), rule.paths, { everyOrSome, matches: (path, glob) => matchesGlob(path, glob) })
  const fitsHosts = (touches: readonly Touch[]) =>
    fits(hostsOf(touches), rule.hosts, { everyOrSome, matches: fitsHost })
  return {
    rule,
    concerns: (entry) => concernsTool(rule, entry),
    matches: (call, touches) =>
      patterns.every(({ name, pattern }) => pattern.test(asText(call.input[name]))) &&
      (rule.paths === undefined || fitsPaths(touches)) &&
      (rule.hosts === undefined || fitsHosts(touches)) &&
      (rule.when === undefined || rule.when(call, touches)),
  }
}

function concernsTool({ tools, origins, effects, decision }: Rule, { tool, origin }: RegisteredTool): boolean {
  if (tools && !tools.some((name) => fitsName(tool.name, name))) return false
  if (origins && !origins.includes(origin)) return false
  if (!effects) return true
  return isBelieved(origin) ? effects.includes(tool.effect) : decision !== 'allow'
}

function fitsName(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** `*.example.com` fits what lies below it, not itself. */
function fitsHost(host: string, pattern: string): boolean {
  return pattern.startsWith('*.')
    ? host.toLowerCase().endsWith(pattern.slice(1).toLowerCase())
    : host.toLowerCase() === pattern.toLowerCase()
}

interface Counting {
  everyOrSome: 'every' | 'some'
  matches(value: string, pattern: string): boolean
}

function fits(
  values: readonly string[],
  patterns: readonly string[] = [],
  { everyOrSome, matches }: Counting,
): boolean {
  return values.length > 0 && values[everyOrSome]((value) => patterns.some((pattern) => matches(value, pattern)))
}

/** Touched paths relative to the workspace; those outside it stay as they are and fit only a glob that names them. */
function pathsOf(touches: readonly Touch[], workspace: string): string[] {
  return touches.flatMap((touch) => ('path' in touch ? [insidePath(workspace, touch.path) ?? touch.path] : []))
}

function hostsOf(touches: readonly Touch[]): string[] {
  return touches.flatMap((touch) => ('host' in touch ? [touch.host] : []))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function compilePattern(rule: Rule, name: string, pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch (error) {
    throw new Error(
      `rule "${rule.name}": arguments.${name} is no regular expression: ${error instanceof Error ? error.message : error}`,
    )
  }
}

function checkRule(rule: Rule): void {
  if (typeof rule.name !== 'string' || rule.name === '') throw new Error('a rule has no name')
  if (!['allow', 'ask', 'deny'].includes(rule.decision)) {
    throw new Error(`rule "${rule.name}": decision is ${JSON.stringify(rule.decision)}; expected allow, ask or deny`)
  }
  const strange = rule.effects?.find((effect) => !EFFECTS.includes(effect))
  if (strange !== undefined)
    throw new Error(`rule "${rule.name}": ${JSON.stringify(strange)} is no effect; expected ${EFFECTS.join(', ')}`)
}
