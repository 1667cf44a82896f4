import type { Approver, Reply } from '../../core/approval/approval.ts'
import type { ApprovalRecord } from '../../core/approval/approval-record.ts'
import type { CheckReport } from '../../core/call/check-report.ts'
import { failure, type Result } from '../../core/call/result.ts'
import type { Mode } from '../../core/session/mode.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'
import type { CallSite } from '../../pipeline/approval-queue.ts'
import { checkCall } from '../../pipeline/check-call.ts'
import { hasEffect } from '../../pipeline/execute/commit.ts'
import { type LaneCall, Lanes } from '../../pipeline/ordering/lanes.ts'
import { refuseClosed, reportClosed } from '../../pipeline/ordering/refuse-closed.ts'
import { RunningCalls } from '../../pipeline/ordering/running-calls.ts'
import type { Parts, Request } from '../../pipeline/request.ts'
import { resumeCall, runCall } from '../../pipeline/run-call.ts'
import { Stop } from '../../pipeline/stopping/stop.ts'
import type { OpenedTools } from '../open-tools.ts'
import type { CallIds } from './call-ids.ts'

/** Who answers the approval requests of a call. */
export interface CallerOptions {
  /** The approver for this call, instead of that of the session or host. */
  readonly approver?: Approver
  /** Without an approver, waits for an answer from another interface. */
  readonly wait?: boolean
  /** What the agent that makes the call works on: shown with its approval requests. */
  readonly label?: string
  /** The mode, instead of that of the session or of the settings. */
  readonly mode?: Mode
}

/** The options of one call. */
export interface CallOptions extends CallerOptions {
  /** A preset answer to the approval request, if there is one. It does not override a deny. */
  readonly decision?: 'allow' | 'deny' | Reply
  /** Who made this decision, for the log; `program` when left out. */
  readonly by?: string
  /** The session of the call. Calls of one session run in order; only consecutive calls that change nothing run together. A call made inside a running call of the session is part of that call. Without a session, the call waits for no other call. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** Time limit in seconds, instead of the tool's own. */
  readonly timeout?: number
  /** The id of the call, if it was made beforehand. */
  readonly id?: string
  /** The tools of the session, if they differ from the current ones. */
  readonly snapshot?: Snapshot
}

/** The options of one check. */
export interface CheckOptions extends CallOptions {
  /** Also does a dry run, unless the call is denied. */
  readonly dryRun?: boolean
}

/** A started call: its id and its result. */
export interface StartedCall {
  readonly id: string
  /** Never rejects. */
  readonly result: Promise<Result>
}

/** Turns what callers pass into requests and runs them through the pipeline. */
export interface CallStarter {
  start(name: string, args: unknown, options: CallOptions): StartedCall
  /** Runs a function that starts several calls and waits for none of them. */
  startTogether<T>(start: () => T): T
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
  /** Returns how to run a call that waits for an answer; undefined if this host does not have its tool. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  readonly isBusy: boolean
  /** Returns a call that runs here in the foreground; undefined for any other. */
  find(call: string): ForegroundCall | undefined
  /** Cancels the foreground calls and resolves when the last has ended. */
  close(): Promise<void>
}

/** A call that its caller waits for. */
export interface ForegroundCall {
  readonly isMovable: boolean
  cancel(): void
  /** Lets it go on in the background; does nothing where that is not possible. */
  moveToBackground(): void
}

/** The parts of a host that a call starter needs. */
export interface StarterParts {
  readonly parts: Parts
  readonly ids: CallIds
  readonly defaults: CallerOptions
  /** The mode of calls that name none. */
  mode(): Mode
  readonly tools: Pick<OpenedTools, 'registry' | 'sessions' | 'waitFor' | 'isLoading'>
}

/** Makes the starter of one host. */
export function createCallStarter({ parts, ids, defaults, mode, tools }: StarterParts): CallStarter {
  const snapshot = () => tools.registry.snapshot()
  const running = new RunningCalls()
  const lanes = new Lanes()
  const noteSession = createSessionNote(parts, mode)

  const requestOf = (name: string, args: unknown, given: CallOptions, id = given.id ?? ids.next()): Request => ({
    id,
    session: String(given.session ?? ids.session),
    name,
    arguments: args,
    snapshot: given.snapshot ?? snapshot(),
    decision: replyOf(given.decision),
    decidedBy: given.by,
    approver: given.approver ?? defaults.approver,
    wait: given.wait ?? defaults.wait,
    label: given.label,
    stop: new Stop(id),
    timeout: given.timeout,
    mode: given.mode ?? mode(),
  })

  /** Makes a request that counts as running until its stop ends, and that follows its caller's signal. */
  const begin = (name: string, args: unknown, given: CallOptions): Request => {
    const request = requestOf(name, args, given)
    running.enter(request.stop)
    if (given.signal) request.stop.follow(given.signal)
    return request
  }
  const run = (request: Request, given: CallOptions): Promise<Result> => {
    noteSession(request.session)
    const start = () => (tools.isLoading() ? runOnceLoaded(request, given) : runCall(request, parts))
    return given.session !== undefined ? lanes.run(laneCallOf(request), start) : start()
  }
  /** With the tools that are there once files that may define the tool have been loaded. */
  const loaded = async (request: Request, given: CallOptions): Promise<Request> => {
    const waiting = tools.waitFor(request.name, request.stop.signal)
    if (waiting === undefined) return request
    await waiting
    const now = tools.sessions.get(request.session) ?? given.snapshot ?? snapshot()
    // Undoing is a call of its own, and no tool that a session has.
    return now.find(request.name) || !request.snapshot.find(request.name) ? { ...request, snapshot: now } : request
  }
  const runOnceLoaded = async (request: Request, given: CallOptions): Promise<Result> => {
    const ready = await loaded(request, given)
    if (!request.stop.isCancelled || ready.snapshot.find(request.name)) return runCall(ready, parts)
    request.stop.end()
    return failure('CANCELLED', `${request.name} was cancelled while files with tools were loading. Nothing was run.`)
  }
  return {
    start(name, args, given) {
      if (running.isClosed) return { id: ids.next(), result: Promise.resolve(refuseClosed(`${name} was not run`)) }
      const request = begin(name, args, given)
      return { id: request.id, result: run(request, given) }
    },
    startTogether: (start) => lanes.startTogether(start),
    check: async (name, args, given) =>
      running.isClosed ? reportClosed() : checkCall(await loaded(begin(name, args, given), given), parts, given.dryRun),
    siteOf(record) {
      const { tool, session, call } = record.request
      const { mode: asked } = record.request
      const request = requestOf(tool, record.input, { id: call, session, ...(asked && { mode: asked }) })
      if (running.isClosed || request.snapshot.find(tool) === undefined) return undefined
      const resume = (kept: ApprovalRecord) => {
        running.enter(request.stop)
        return resumeCall(kept, request, parts)
      }
      return { parts, request, resume }
    },
    get isBusy() {
      return running.isBusy
    },
    find: (call) => running.find(call),
    close: () => running.close(),
  }
}

/** Returns a function that logs the start of a session at its first call, unless the session was already begun. */
function createSessionNote({ workspace, emit, sessions }: Parts, mode: () => Mode): (session: string) => void {
  return (session) => {
    if (sessions.has(session)) return
    sessions.add(session)
    emit({ type: 'session-start', session, workspace, mode: mode() })
  }
}

/** How many consecutive calls of a session run at once: of tools that only read, and of tools that touch nothing. */
const TOGETHER = { read: 8, none: 64 } as const

/** Returns what the ordering needs to know about a call. */
function laneCallOf({ session, name, snapshot, stop }: Request): LaneCall {
  return { session, together: togetherOf(snapshot.find(name)), stop }
}

/** A call of an unknown tool fails at once, so it touches nothing. */
function togetherOf(entry: RegisteredTool | undefined): number {
  if (entry === undefined) return TOGETHER.none
  if (hasEffect(entry)) return 1
  return entry.tool.effect === 'none' ? TOGETHER.none : TOGETHER.read
}

function replyOf(decision: CallOptions['decision']): Reply | undefined {
  if (decision === 'allow') return { approved: true }
  return decision === 'deny' ? { approved: false } : decision
}
