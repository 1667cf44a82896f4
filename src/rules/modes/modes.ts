import type { Opinion } from '../../core/rules/rule.ts'
import { DEFAULT_MODE, type Mode } from '../../core/session/mode.ts'
import type { RegisteredTool } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'

/** What a mode makes of the asks of the default rules. */
export interface ModeRules {
  /** What the mode means, for `haft rules` and for the model. */
  readonly about: string
  /** True where only calls that certainly change nothing may run. */
  readonly onlyLooks?: boolean
  /** The default asks that it answers with yes: some by name, or all but some. */
  readonly answers?: { readonly only: readonly string[] } | { readonly allBut: readonly string[] }
  /** True where it answers only for calls that run commands. */
  readonly onlyCommands?: boolean
  /** For calls that no rule speaks of: the effects of built-in tools that it allows without asking, or every tool. */
  readonly allows?: readonly Effect[] | 'everything'
}

/** Default asks about what an overlay cannot hold back: it leaves the machine, reveals secrets, or acts on more than files. */
const LEAVES_THE_OVERLAY: readonly string[] = [
  'ask_network',
  'ask_install',
  'ask_publish',
  'ask_container',
  'ask_environment',
  'ask_sensitive_reading',
  'ask_secret_listing',
  'ask_secret_script',
  'ask_outside_reading',
  'ask_wide_reading',
  'ask_protected_reading',
  'ask_without_sandbox',
]

/** Default asks about files that exist. */
export const ABOUT_CHANGES: readonly string[] = ['ask_change', 'ask_existing_deletion']

/** Default asks about changes in the workspace, which can be undone. */
const CAN_BE_UNDONE: readonly string[] = [
  ...ABOUT_CHANGES,
  'ask_deletion',
  'ask_deleting_everything',
  'ask_temporary_deletion',
  'ask_lost_work',
  'ask_unknown',
  'ask_unknown_command',
  'ask_unknown_path',
  'ask_code_effects',
  'ask_uncertain',
  'ask_flood',
]

/** Every mode. Denies of any layer stay denies in all of them, and the asks of people, projects and tool authors stay asks, except that `auto` answers those of tool authors. */
export const MODE_RULES: Readonly<Record<Mode, ModeRules>> = {
  plan: {
    about: 'look only: calls that would write, reach the network or have an unknown effect are denied',
    onlyLooks: true,
  },
  ask: { about: 'changing or deleting an existing file asks, and so does what cannot be undone or told beforehand' },
  review: {
    about: 'commands run without a question, and you approve what they really changed before it is applied',
    answers: { allBut: LEAVES_THE_OVERLAY },
    onlyCommands: true,
    allows: ['run'],
  },
  edit: {
    about: 'changes in the workspace that can be undone run without a question',
    answers: { only: CAN_BE_UNDONE },
    allows: ['write', 'run'],
  },
  auto: { about: 'every ask of the defaults is answered with yes', answers: { allBut: [] }, allows: 'everything' },
}

/** The deny of a call that only looks may not make, in the words that a planning model needs. */
export const PLAN_DENY: Opinion = Object.freeze({
  layer: 'defaults',
  rule: 'mode plan',
  decision: 'deny',
  reason:
    'you are planning: only calls that certainly change nothing run, such as reading files, git log, grep and ls. Describe the change in your plan instead',
})

/** True when a mode allows a call of this tool that no rule speaks of, in place of the question of the tool or of its effect. */
export function allowsSilent({ tool, origin }: RegisteredTool, mode: Mode): boolean {
  const { allows = [] } = MODE_RULES[mode]
  return allows === 'everything' || (origin === 'built-in' && allows.includes(tool.effect))
}

/** Replaces the default asks that a mode answers by its yes; all other opinions stay. */
export function answerByMode(
  opinions: readonly Opinion[],
  mode: Mode = DEFAULT_MODE,
  isCommand = true,
): readonly Opinion[] {
  if (!opinions.some((opinion) => isAnswered(opinion, mode, isCommand))) return opinions
  return opinions.map((opinion) => {
    if (!isAnswered(opinion, mode, isCommand)) return opinion
    const { layer, rule, reason } = opinion
    return { layer, rule: `mode ${mode}`, decision: 'allow', reason: `it answers ${rule}: ${reason}` }
  })
}

function isAnswered({ layer, rule, decision }: Opinion, mode: Mode, isCommand: boolean): boolean {
  return layer === 'defaults' && decision === 'ask' && answersAsk(rule, mode, isCommand)
}

/** True when a mode answers a default ask of this name with yes. */
export function answersAsk(rule: string, mode: Mode, isCommand: boolean): boolean {
  const { answers, onlyCommands } = MODE_RULES[mode]
  if (answers === undefined || (onlyCommands && !isCommand)) return false
  return 'only' in answers ? answers.only.includes(rule) : !answers.allBut.includes(rule)
}
