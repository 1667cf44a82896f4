import type { Approver, Reply } from '../core/approval/approval.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Result } from '../core/call/result.ts'
import { DEFAULT_MODE, type Mode } from '../core/session/mode.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import type { CallSite } from '../pipeline/approval-queue.ts'
import { checkCall } from '../pipeline/check-call.ts'
import { hasEffect } from '../pipeline/execute/commit.ts'
import { type LaneCall, Lanes } from '../pipeline/ordering/lanes.ts'
import { refuseClosed, reportClosed } from '../pipeline/ordering/refuse-closed.ts'
import { RunningCalls } from '../pipeline/ordering/running-calls.ts'
import type { Parts, Request } from '../pipeline/request.ts'
import { resumeCall, runCall } from '../pipeline/run-call.ts'
import { Stop } from '../pipeline/stopping/stop.ts'
import type { CallIds } from './call-ids.ts'

/** Who answers for a call, where something is to be asked. */
export interface CallerOptions {
  /** Who is asked directly; in place of that of the session or host. */
  readonly approver?: Approver
  /** With nobody to ask, waits for an answer from another interface. */
  readonly wait?: boolean
  /** The mode, in place of that of the session or of the settings. */
  readonly mode?: Mode
}

/** How one call is made. */
export interface CallOptions extends CallerOptions {
  /** Answers the approval request, should there be one; never beats a deny. */
  readonly decision?: 'allow' | 'deny' | Reply
  /** Who decides that way, for the log; `program` when left out. */
  readonly by?: string
  /** Whose call it is: calls of one session keep their order, and only neighbours that change nothing run together; one made inside a running call of the session is part of that call. Without one it waits for nobody. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** Seconds the tool may run, in place of its own limit. */
  readonly timeout?: number
  /** The tools of a session under way, where they are not the present ones. */
  readonly snapshot?: Snapshot
}

/** How one call is checked. */
export interface CheckOptions extends CallOptions {
  /** Also runs it where nothing is applied, unless it is denied. */
  readonly dryRun?: boolean
}

/** A call that has begun: its id, and how it ends. */
export interface StartedCall {
  readonly id: string
  /** Never rejects. */
  readonly result: Promise<Result>
}

/** Makes requests of what callers give, and sends them into the pipeline. */
export interface CallStarter {
  start(name: string, args: unknown, options: CallOptions): StartedCall
  check(name: string, args: unknown, options: CheckOptions): Promise<CheckReport>
  /** Where a call that waits for an answer can run here; undefined where its tool is not there. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  readonly isBusy: boolean
  /** Cancels the calls in the foreground and resolves when the last has ended. */
  close(): Promise<void>
}

/** What starting needs of a host. */
export interface StarterParts {
  readonly parts: Parts
  readonly ids: CallIds
  readonly defaults: CallerOptions
  snapshot(): Snapshot
}

/** Makes the starter of one host. */
export function createCallStarter({ parts, ids, defaults, snapshot }: StarterParts): CallStarter {
  const running = new RunningCalls()
  const lanes = new Lanes()
  const noteSession = createSessionNote(parts, defaults.mode)

  const requestOf = (name: string, args: unknown, given: CallOptions): Request => ({
    id: ids.next(),
    session: String(given.session ?? ids.session),
    name,
    arguments: args,
    snapshot: given.snapshot ?? snapshot(),
    decision: replyOf(given.decision),
    decidedBy: given.by,
    approver: given.approver ?? defaults.approver,
    wait: given.wait ?? defaults.wait,
    stop: new Stop(),
    timeout: given.timeout,
    mode: given.mode ?? defaults.mode,
  })

  /** A request that counts as under way until its stop ends, and follows its caller's signal. */
  const begin = (name: string, args: unknown, given: CallOptions): Request => {
    const request = requestOf(name, args, given)
    running.enter(request.stop)
    if (given.signal) request.stop.follow(given.signal)
    return request
  }
  const run = (request: Request, isOrdered: boolean): Promise<Result> => {
    noteSession(request.session)
    return isOrdered ? lanes.run(laneCallOf(request), () => runCall(request, parts)) : runCall(request, parts)
  }
  return {
    start(name, args, given) {
      if (running.isClosed) return { id: ids.next(), result: Promise.resolve(refuseClosed(`${name} was not run`)) }
      const request = begin(name, args, given)
      return { id: request.id, result: run(request, given.session !== undefined) }
    },
    check: async (name, args, given) =>
      running.isClosed ? reportClosed() : checkCall(begin(name, args, given), parts, given.dryRun),
    siteOf(record) {
      const { tool, session, call } = record.request
      const request = {
        ...requestOf(tool, record.input, { session, ...(record.request.mode && { mode: record.request.mode }) }),
        id: call,
      }
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
    close: () => running.close(),
  }
}

/** Sessions that calls name begin with their first call here, unless they were begun with all that is known of them. */
function createSessionNote({ workspace, emit, sessions }: Parts, mode: Mode = DEFAULT_MODE): (session: string) => void {
  return (session) => {
    if (sessions.has(session)) return
    sessions.add(session)
    emit({ type: 'session-start', session, workspace, mode })
  }
}

/** What the order of its session needs to know of a call; one whose tool is not there ends at once, so it may stand with reads. */
function laneCallOf({ session, name, snapshot, stop }: Request): LaneCall {
  const entry = snapshot.find(name)
  return { session, isRead: entry === undefined || !hasEffect(entry), stop }
}

function replyOf(decision: CallOptions['decision']): Reply | undefined {
  if (decision === 'allow') return { approved: true }
  return decision === 'deny' ? { approved: false } : decision
}
