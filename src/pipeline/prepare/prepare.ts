import type { PreparedCall, ValidCall } from '../../core/call/call.ts'
import { type Failure, failure, failureOf, isFailure } from '../../core/call/result.ts'
import { describeHosts } from '../../core/network/describe-hosts.ts'
import type { CallReading } from '../../core/rules/rule.ts'
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

const NO_EXPECTATIONS: Readonly<Record<string, string | null>> = Object.freeze({})
const NO_HOSTS: readonly string[] = Object.freeze([])
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
  const prepared = isFailure(made) ? made : noteNetwork(made, judged.reading, parts)
  const { decision, rule, reason } = isFailure(prepared) ? settleDecision(call, judged, undefined) : prepared
  logVerdict(judged, { decision, rule, reason, trace: verdict.trace }, parts)
  return prepared
}

const NO_SSH = 'this will fail: ssh does not get out of the sandbox; for git, use the https address of the repository'

/** Adds to the reason of an approval request which hosts a command gets, or that it needs the network, which is off. */
function noteNetwork(prepared: PreparedCall, { usesSsh }: CallReading, { sandbox }: Parts): PreparedCall {
  const { decision, needsNetwork, hosts, reason, call } = prepared
  if (decision !== 'ask' || !sandbox.isOffline || call.entry.tool.effect !== 'run') return prepared
  if (sandbox.canConnect && hosts.length > 0)
    return { ...prepared, reason: `${reason}; for this run it gets access to ${describeHosts(hosts)}` }
  if (usesSsh) return { ...prepared, reason: `${reason}; ${NO_SSH}` }
  if (!needsNetwork) return prepared
  return { ...prepared, reason: `${reason}; the network is off here; this will fail` }
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
  const settled = askAboutPrepared(call, prepared, settleDecision(call, judged, asks))
  const isFree = settled.decision === 'ask' && prepared.changesNothing === true && isAskedByDefault(call, judged)
  const { decision, rule, reason, settledBy, grant } = isFree ? BY_EFFECT.none : settled
  return {
    call,
    decision,
    rule,
    reason,
    settledBy,
    grant,
    preview: prepared.preview,
    summary: call.entry.origin === 'built-in' ? prepared.summary : undefined,
    cannotUndo: prepared.cannotUndo === true,
    expects: prepared.expects ?? NO_EXPECTATIONS,
    changes: changedPaths(judged.reading.touches),
    hosts: hostsOf(judged),
    needsNetwork: judged.reading.needsNetwork,
  }
}

/** True for a built-in tool where no rule of a person or a project asks. */
function isAskedByDefault({ entry }: ValidCall, { verdict }: Judged): boolean {
  return (
    entry.origin === 'built-in' &&
    verdict.trace.every(({ decision, layer }) => decision !== 'ask' || layer === 'defaults')
  )
}

const NO_CHANGES: readonly string[] = Object.freeze([])

function changedPaths(touches: readonly Touch[]): readonly string[] {
  if (touches.length === 0) return NO_CHANGES
  return touches.flatMap((touch) => (touch.kind === 'writes' || touch.kind === 'deletes' ? [touch.path] : []))
}

/** The hosts that a call names, or its commands. Code that runs without a question gets none by naming them. */
function hostsOf({ touches, reading }: Judged): readonly string[] {
  if (touches.length === 0) return reading.hosts ?? NO_HOSTS
  const isFree = touches.some((touch) => touch.kind === 'runs' && touch.isFree)
  const named = touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
  const hosts = isFree ? named : [...named, ...(reading.hosts ?? [])]
  return hosts.length === 0 ? NO_HOSTS : hosts
}

/** Binds a command that a person is asked about to the scripts and files it names, so that a yes does not count for others in their place. */
function bind(prepared: PreparedCall, { reading }: Judged, { files, workspace }: CallContext): PreparedCall {
  if (prepared.decision !== 'ask' || reading.commands.length === 0) return prepared
  return { ...prepared, expects: { ...bindTouched(reading, files, workspace), ...prepared.expects } }
}

/** Returns the decision of the rules; if they are silent, that of the tool's `approval`; without one, the default for its effect. An `approval` that is neither true nor false asks. */
export function settleDecision(call: ValidCall, judged: Judged, asks: unknown): Settled {
  const settled = settleByTool(call, judged, asks)
  if (settled.decision !== 'ask' || settled.settledBy === 'rule' || !judged.isAllowedByMode) return settled
  const { reason } = settled
  return { decision: 'allow', rule: `mode ${call.mode}`, reason: `the mode allows it: ${reason}`, settledBy: 'default' }
}

/** Asks about what only preparing a call shows: that it cannot be undone, or that other programs would run what it writes. The person's own rules and mode `auto` stay above that. */
function askAboutPrepared({ mode }: ValidCall, { cannotUndo, isTrusted }: Prepared, settled: Settled): Settled {
  const isByMode = settled.rule === 'mode edit' && mode === 'edit'
  const isByOther = settled.grant !== undefined || settled.settledBy === 'tool'
  if (settled.decision !== 'allow') return settled
  if (isTrusted && (isByMode || isByOther))
    return { decision: 'ask', rule: 'ask_trusted_files', reason: TRUSTED_REASON, settledBy: 'default' }
  if (!cannotUndo || !isByMode) return settled
  const reason = 'it replaces or deletes more than can be kept for undo'
  return { decision: 'ask', rule: settled.rule, reason, settledBy: 'default' }
}

const TRUSTED_REASON = 'it makes other programs, such as npm install, run code'

type Settled = Pick<PreparedCall, 'decision' | 'rule' | 'reason' | 'settledBy' | 'grant'>

function settleByTool(call: ValidCall, { verdict, touches }: Judged, asks: unknown): Settled {
  if (verdict.decision === 'allow' || verdict.decision === 'ask')
    return { ...verdict, decision: verdict.decision, settledBy: 'rule' }
  const { tool, origin } = call.entry
  if (!isBelieved(origin)) {
    const reason = `tools from ${origin} need approval`
    return { decision: 'ask', rule: `origin ${origin}`, reason, settledBy: 'default' }
  }
  const own = { rule: 'tool approval', settledBy: 'tool' } as const
  if (asks === undefined && origin === 'user') return settleOwn(call, touches)
  if (asks === false) return { decision: 'allow', reason: `${tool.name} needs no approval for this call`, ...own }
  if (asks !== undefined)
    return { decision: 'ask', reason: `${tool.name} asks a person before a call like this`, ...own }
  return BY_EFFECT[tool.effect]
}

/** Whoever put a file into their own tools folder has consented to its tools; only a network tool that names its hosts asks, because a rule or grant can then allow each host. */
function settleOwn({ entry }: ValidCall, touches: readonly Touch[]): Settled {
  const { effect } = entry.tool
  const hosts = touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
  if (effect === 'none' || effect === 'read') return BY_EFFECT[effect]
  if (effect !== 'network' || hosts.length === 0) {
    const reason = `it is a tool of your own (effect ${effect}), which you allowed by putting its file into your tools folder`
    return { decision: 'allow', rule: 'own tool', reason, settledBy: 'tool' }
  }
  const reason = `it is a tool of your own (effect network) that connects to ${describeHosts([...new Set(hosts)])}`
  return { decision: 'ask', rule: 'effect network', reason, settledBy: 'default' }
}

/** The decision where neither a rule nor the tool has made one. */
const BY_EFFECT: Readonly<Record<Effect, Settled>> = {
  none: { decision: 'allow', rule: 'effect none', reason: 'it changes nothing', settledBy: 'default' },
  read: { decision: 'allow', rule: 'effect read', reason: 'it changes nothing', settledBy: 'default' },
  write: { decision: 'ask', rule: 'effect write', reason: 'it changes files', settledBy: 'default' },
  run: { decision: 'ask', rule: 'effect run', reason: 'it runs a program', settledBy: 'default' },
  network: { decision: 'ask', rule: 'effect network', reason: 'it uses the network', settledBy: 'default' },
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
