import { messageOf, ToolError } from '../core/call/result.ts'
import type { PathLookup } from '../core/ports/path-lookup.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import { findJudged, type JudgedCall, type Replayed, replayCall } from '../pipeline/judge/replay-call.ts'
import { type ExampleReport, testExamples } from '../pipeline/judge/test-example.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { Project } from '../settings/project.ts'
import { readSettings } from '../settings/read-settings.ts'
import { settledRules } from '../settings/settled-rules.ts'
import type { LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import { openRules } from './open/open-rules.ts'
import { createOwnPrograms } from './programs/own-tools.ts'

/** How calls of the log are judged again. */
export interface ReplayOptions {
  /** A settings file whose rules count in place of the user's own, and whose `mode`, if it names one, in place of that of each call. */
  readonly with?: string
  /** A rule that is not active, counted as the user's own: only calls that it would decide differently are reported. */
  readonly rule?: Rule
  /** Milliseconds since 1970: only calls that began then or later. */
  readonly since?: number
}

/** A call that would be decided differently. */
export interface ReplayChange extends Pick<JudgedCall, 'call' | 'session' | 'tool' | 'arguments' | 'was' | 'ran'> {
  readonly now: Replayed
}

/** What replaying the log gave. */
export interface ReplayReport {
  /** How many calls were judged again. */
  readonly judged: number
  readonly changes: readonly ReplayChange[]
  /** Calls that could not be judged again, such as those of a tool that is gone. */
  readonly skipped: readonly { readonly call: string; readonly tool: string; readonly reason: string }[]
}

/** What replaying needs of a host. */
export interface ReplayParts {
  readonly workspace: string
  readonly home: HomeParts
  readonly project: Project
  readonly log: LogReader
  snapshot(): Snapshot
}

/** Judges every call of the log in this workspace again, the newest first, by the rules of now. Nothing runs. */
export async function replayLog(options: ReplayOptions, parts: ReplayParts): Promise<ReplayReport> {
  const { with: file, rule, since } = options
  const settings = file === undefined ? parts.home.user : await readSettings(file)
  const judge = openRulesOfNow(parts, settings)
  if (rule) addProposed(judge, rule)
  const changes: ReplayChange[] = []
  const skipped: ReplayReport['skipped'][number][] = []
  let judged = 0
  for await (const call of listJudged(parts, since)) {
    const mode: Mode = (file === undefined ? undefined : settings?.given.mode) ?? call.mode
    const now = await replayCall(call, { snapshot: parts.snapshot(), judge, mode })
    if (typeof now === 'string') skipped.push({ call: call.call, tool: call.tool, reason: now })
    else {
      judged++
      const isOfRule = rule === undefined || now.rule === rule.name
      if (now.decision !== call.was.decision && isOfRule) changes.push(changeOf(call, now))
    }
  }
  return { judged, changes, skipped }
}

/** Tests the examples of a rule that is not active, beside the rules of now. Rejects with ToolError where the rule is invalid. */
export async function testProposed(rule: Rule, parts: ReplayParts): Promise<readonly ExampleReport[]> {
  const judge = openRulesOfNow(parts, parts.home.user)
  addProposed(judge, rule)
  return testExamples({ layer: 'user', source: PROPOSED, rule }, parts.snapshot(), { judge })
}

const PROPOSED = 'a rule that is not kept yet'

function addProposed(rules: RuleBook, rule: Rule): void {
  try {
    rules.add(rule, { layer: 'user', source: PROPOSED })
  } catch (thrown) {
    throw new ToolError('INVALID_ARGUMENTS', `The rule ${JSON.stringify(rule.name)} is invalid: ${messageOf(thrown)}`)
  }
}

function changeOf({ call, session, tool, arguments: sent, was, ran }: JudgedCall, now: Replayed): ReplayChange {
  const { decision, rule, reason } = now
  return { call, session, tool, arguments: sent, was, ran, now: { decision, rule, reason } }
}

/** Opens the rules of now: what exists is answered from the record of each call. */
function openRulesOfNow({ workspace, home, project }: ReplayParts, settings: HomeParts['user']): RuleBook {
  const rules = openRules(workspace, home, { lookup: NO_LOOKUP, ownPrograms: createOwnPrograms(workspace, home) })
  for (const rule of home.managed.list()) rules.add(rule, { layer: 'user', source: home.managed.source })
  for (const { rule } of settings ? settledRules(settings.given) : [])
    rules.add(rule, { layer: 'user', source: settings?.path ?? '' })
  for (const { rule } of project.rules) rules.add(rule, { layer: project.layer, source: project.file.path })
  return rules
}

const NO_LOOKUP: PathLookup = { kindOf: () => 'unknown', findBelow: () => 'unknown' }

/** How many calls are read from the log at once. */
const PAGE = 200

async function* listJudged(
  { workspace, log }: Pick<ReplayParts, 'workspace' | 'log'>,
  since: number | undefined,
): AsyncGenerator<JudgedCall> {
  let before: number | undefined
  do {
    const page = await log.calls({
      limit: PAGE,
      ...(before !== undefined && { before }),
      ...(since !== undefined && { since }),
    })
    for (const { call, workspace: where } of page) {
      const judged = where === workspace ? findJudged(await log.read({ call })) : undefined
      if (judged !== undefined) yield judged
    }
    before = page.length < PAGE ? undefined : page.at(-1)?.cursor
  } while (before !== undefined)
}
