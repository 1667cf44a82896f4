import type { PreparedCall, ValidCall } from '../../core/call/call.ts'
import { type Failure, failure, failureOf, isFailure } from '../../core/call/result.ts'
import { insidePath } from '../../core/text/paths.ts'
import type { Prepared } from '../../core/tool/prepared.ts'
import { isBelieved } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'
import type { Touch } from '../../core/tool/touch.ts'
import type { CallRun } from '../call-run.ts'
import type { CallContext } from '../context/call-context.ts'
import type { Judged } from '../judge/judged.ts'
import { logVerdict } from '../judge/log-verdict.ts'
import type { Parts } from '../request.ts'
import type { Stage } from '../stage.ts'
import { PREPARING, stopDuring } from '../stopping/stop-during.ts'
import { bindTouched } from './bind-touched.ts'
import { CallPlan } from './call-plan.ts'

const HARMLESS: readonly Effect[] = ['none', 'read']
const NO_EXPECTATIONS: Readonly<Record<string, string | null>> = Object.freeze({})
const UNPREPARED: Prepared = Object.freeze({})

/** Checks that the call can work, makes its preview, decides whether to ask if no rule has decided, and logs the decision. Reads, never writes. */
export function prepare(judged: Judged, run: CallRun): Stage<PreparedCall> {
  const prepared = stopDuring(prepareCall(judged, run.context), run.request.stop, PREPARING)
  return prepared instanceof Promise
    ? prepared.then((made) => logDecision(made, judged, run))
    : logDecision(prepared, judged, run)
}

function logDecision(made: PreparedCall | Failure, judged: Judged, { parts }: CallRun): PreparedCall | Failure {
  const { call, verdict } = judged
  const prepared = isFailure(made) ? made : noteOffline(made, parts)
  const { decision, rule, reason } = isFailure(prepared) ? settleDecision(call, judged, undefined) : prepared
  logVerdict(judged, { decision, rule, reason, trace: verdict.trace }, parts)
  return prepared
}

/** Adds to the reason of an approval request that the command needs the network, which is off. */
function noteOffline(prepared: PreparedCall, { sandbox }: Parts): PreparedCall {
  if (prepared.decision !== 'ask' || !prepared.needsNetwork || !sandbox.isOffline) return prepared
  return { ...prepared, reason: `${prepared.reason}; the network is off here; this will fail` }
}

function prepareCall(judged: Judged, context: CallContext): Stage<PreparedCall> {
  const { call } = judged
  context.setCall(call)
  const outside = findOutside(judged.touches, context.workspace)
  if (outside !== undefined) return outside
  const { tool } = call.entry
  if (!tool.prepare && !tool.approval && !tool.steps) return conclude(call, judged, UNPREPARED, undefined)
  return prepareTool(call, judged, context)
}

async function prepareTool(call: ValidCall, judged: Judged, context: CallContext): Promise<PreparedCall | Failure> {
  const { tool } = call.entry
  try {
    const plan = tool.steps && new CallPlan(await tool.steps(call.input))
    await context.begin(plan)
    const prepared = (await (plan ? plan.prepare(context) : tool.prepare?.(call.input, context))) ?? UNPREPARED
    if (isFailure(prepared)) return context.stop.isCancelled ? cancelled(call) : prepared
    const isSilent = judged.verdict.decision === 'silent'
    const asks = isSilent ? plan?.hasApproval || (await tool.approval?.(call.input, context)) : undefined
    return bind(conclude(call, judged, prepared, asks), judged, context)
  } catch (thrown) {
    return context.stop.isCancelled ? cancelled(call) : failureOf(thrown)
  }
}

function cancelled({ entry }: ValidCall): Failure {
  return failure('CANCELLED', `${entry.tool.name} was cancelled while it prepared. Nothing was run.`)
}

function conclude(call: ValidCall, judged: Judged, prepared: Prepared, asks: unknown): PreparedCall {
  const settled = settleDecision(call, judged, asks)
  const { decision, rule, reason, settledBy, grant } = prepared.cannotUndo ? keepUndoable(call, settled) : settled
  return {
    call,
    decision,
    rule,
    reason,
    settledBy,
    grant,
    preview: prepared.preview,
    expects: prepared.expects ?? NO_EXPECTATIONS,
    changes: judged.reading.touches.flatMap((touch) =>
      touch.kind === 'writes' || touch.kind === 'deletes' ? [touch.path] : [],
    ),
    needsNetwork: judged.reading.needsNetwork,
  }
}

/** Binds a command that a person is asked about to the scripts and files it names, so that a yes does not count for others in their place. */
function bind(prepared: PreparedCall, { reading }: Judged, { files, workspace }: CallContext): PreparedCall {
  if (prepared.decision !== 'ask' || reading.commands.length === 0) return prepared
  return { ...prepared, expects: { ...bindTouched(reading.touches, files, workspace), ...prepared.expects } }
}

/** Returns the decision of the rules; if they are silent, that of the tool's `approval`; without one, the default for its effect. An `approval` that is neither true nor false asks. */
export function settleDecision(call: ValidCall, judged: Judged, asks: unknown): Settled {
  const settled = settleByTool(call, judged, asks)
  if (settled.decision !== 'ask' || settled.settledBy === 'rule' || !judged.isAllowedByMode) return settled
  const { reason } = settled
  return { decision: 'allow', rule: `mode ${call.mode}`, reason: `the mode allows it: ${reason}`, settledBy: 'default' }
}

/** Asks about a call that only the mode allows because it can be undone, where it cannot. */
function keepUndoable({ mode }: ValidCall, settled: Settled): Settled {
  if (settled.decision !== 'allow' || mode !== 'edit' || settled.rule !== 'mode edit') return settled
  const reason = 'it replaces or deletes more than can be kept for undo'
  return { decision: 'ask', rule: settled.rule, reason, settledBy: 'default' }
}

type Settled = Pick<PreparedCall, 'decision' | 'rule' | 'reason' | 'settledBy' | 'grant'>

function settleByTool(call: ValidCall, { verdict }: Judged, asks: unknown): Settled {
  if (verdict.decision === 'allow' || verdict.decision === 'ask')
    return { ...verdict, decision: verdict.decision, settledBy: 'rule' }
  const { tool, origin } = call.entry
  if (!isBelieved(origin)) {
    const reason = `tools from ${origin} need approval`
    return { decision: 'ask', rule: `origin ${origin}`, reason, settledBy: 'default' }
  }
  const own = { rule: 'tool approval', settledBy: 'tool' } as const
  if (asks === false) return { decision: 'allow', reason: `${tool.name} needs no approval for this call`, ...own }
  if (asks !== undefined) return { decision: 'ask', reason: `${tool.name} needs approval for this call`, ...own }
  const decision = HARMLESS.includes(tool.effect) ? 'allow' : 'ask'
  return { decision, rule: `effect ${tool.effect}`, reason: EFFECT_REASONS[tool.effect], settledBy: 'default' }
}

const EFFECT_REASONS: Readonly<Record<Effect, string>> = {
  none: 'it changes nothing',
  read: 'it changes nothing',
  write: 'it changes files',
  run: 'it runs a program',
  network: 'it uses the network',
}

/** Returns the failure of a call that touches a path outside the workspace, or undefined. */
export function findOutside(touches: readonly Touch[], workspace: string): Failure | undefined {
  for (const touch of touches) {
    if ('path' in touch && insidePath(workspace, touch.path) === undefined) {
      return failure(
        'INVALID_PATH',
        `${touch.path} is outside the workspace (refused by the workspace). Paths are relative to ${workspace}.`,
        {
          details: { path: touch.path, workspace },
        },
      )
    }
  }
  return undefined
}
