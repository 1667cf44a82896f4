import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Grant, type Grants, isGrantLive } from '../core/approval/grant.ts'
import type { ValidCall } from '../core/call/call.ts'
import { isWithin } from '../core/plans/agent-ids.ts'
import type { CallReading, Opinion, Rule } from '../core/rules/rule.ts'
import { insidePath, resolvePath } from '../core/text/paths.ts'
import { isBelieved, type RegisteredTool } from '../core/tool/snapshot.ts'
import type { Touch } from '../core/tool/touch.ts'
import { type CompiledRule, compileRule } from './compile-rule.ts'
import { ABOUT_CHANGES } from './modes/modes.ts'
import type { ShellLocation } from './shell/shell-reading.ts'

/** Returns a digest of a call's tool, schema, arguments and workspace. */
export type DigestCall = (call: ValidCall, workspace: string) => string

/** The grants, and how an exact grant recognizes its call. */
export interface GrantSource {
  readonly grants: Grants
  readonly digestCall: DigestCall
}

/** A grant compiled to a rule. */
export interface GrantRule extends CompiledRule {
  readonly grant: Grant
}

/** Returns a function that resolves to the rules of the grants in a workspace; compiles them again only when they changed. */
export function createGrantRules(
  location: ShellLocation,
  { grants, digestCall }: GrantSource,
): () => Promise<readonly GrantRule[]> {
  const { workspace } = location
  let from: readonly Grant[] | undefined
  let rules: readonly GrantRule[] = []
  return async () => {
    const now = await grants.list()
    if (now === from) return rules
    const own = now.filter((grant) => grant.workspace === workspace)
    rules = await Promise.all(own.map((grant) => compileGrant(grant, location, digestCall)))
    from = now
    return rules
  }
}

/** Compiles a grant. A prefix grant covers the words it names, and not whatever starts with them. */
async function compileGrant(grant: Grant, location: ShellLocation, digestCall: DigestCall): Promise<GrantRule> {
  const { scope } = grant
  const compiled = compileRule(ruleOf(grant, location.workspace, digestCall), location.workspace)
  if (scope.kind !== 'prefix') return { grant, ...compiled }
  const { createCommandCover } = await import('./cover-commands.ts')
  const covers = createCommandCover(scope.prefixes, location)
  return { grant, ...compiled, matches: (call, reading) => compiled.matches(call, reading) && covers(reading) }
}

/** Returns the opinion of the first matching grant about a call that would otherwise ask. A grant answers only the rules it was given for. */
export function grantOpinion(
  rules: readonly GrantRule[],
  { call, reading, others }: { call: ValidCall; reading: CallReading; others: readonly Opinion[] },
): Opinion | undefined {
  const asked = others.filter(({ decision }) => decision === 'ask').map(({ rule }) => rule)
  const fits = ({ grant, concerns, matches }: GrantRule) =>
    asked.every((rule) => answers(grant, rule)) &&
    isGrantLive(grant, Date.now()) &&
    (grant.session === undefined || isWithin(call.session, grant.session)) &&
    concerns(call.entry) &&
    matches(call, reading)
  const found = rules.find(fits)
  if (!found) return undefined
  const { name: rule, reason = '' } = found.rule
  return { layer: 'grants', rule, decision: 'allow', reason, grant: found.grant.id }
}

/** True when a grant was given for this ask. One given where no rule asked, but the tool or its effect did, also answers the default asks about existing files: that is what the tool does. */
function answers(grant: Grant, rule: string): boolean {
  return grant.answers.includes(rule) || (grant.answers.length === 0 && ABOUT_CHANGES.includes(rule))
}

/** True when a person would be asked without a grant; only then are grants checked. */
export function mayBeAsked({ tool, origin }: RegisteredTool, others: readonly Opinion[]): boolean {
  if (others.length === 0) {
    const isHarmless = (tool.effect === 'none' || tool.effect === 'read') && isBelieved(origin)
    return !isHarmless || tool.approval !== undefined
  }
  return others.some(({ decision }) => decision === 'ask') && others.every(({ decision }) => decision !== 'deny')
}

function ruleOf({ id, tool, text, scope }: Grant, workspace: string, digestCall: DigestCall): Rule {
  const base = { name: `grant ${id}`, decision: 'allow', tools: [tool], reason: `you granted this: ${text}` } as const
  const isPlain = (_: ValidCall, touches: readonly Touch[]) => touches.every((touch) => hasNoLink(touch, workspace))
  switch (scope.kind) {
    case 'exact':
      return {
        ...base,
        when: (call, touches) => isPlain(call, touches) && digestCall(call, workspace) === scope.digest,
      }
    case 'prefix':
      return {
        ...base,
        prefixes: scope.prefixes,
        when: (_, touches) => touches.every((touch) => touch.kind !== 'connects' || scope.hosts.includes(touch.host)),
      }
    case 'folder': {
      const folder = resolvePath(workspace, scope.folder)
      const isBelow = (touch: Touch) =>
        'path' in touch && insidePath(folder, resolvePath(workspace, touch.path)) !== undefined
      return {
        ...base,
        when: (call, touches) => touches.length > 0 && touches.every(isBelow) && isPlain(call, touches),
      }
    }
    case 'host':
      return { ...base, hosts: scope.hosts, when: (_, touches) => touches.every(({ kind }) => kind === 'connects') }
    case 'tool':
      return { ...base, when: (_, touches) => touches.length === 0 }
  }
}

/** False when a path of the workspace goes through a link, or this is unknown: a grant covers the literal path. */
function hasNoLink(touch: Touch, workspace: string): boolean {
  if (!('path' in touch) || insidePath(workspace, touch.path) === undefined) return true
  const path = resolvePath(workspace, touch.path)
  for (let at = path; ; at = dirname(at)) {
    try {
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) return realpathSync(at) === at
    } catch {
      return false
    }
  }
}
