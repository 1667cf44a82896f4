import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import { offersBackground } from '../core/call/background.ts'
import type { ClearedCall, PreparedCall, ValidCall } from '../core/call/call.ts'
import { type Failure, failureOf, isFailure, type Result } from '../core/call/result.ts'
import { approve } from './approve/approve.ts'
import { approveRecord, settlePending } from './approve/approve-record.ts'
import { type BeforeApproval, type CallRun, startRun } from './call-run.ts'
import { endCall } from './end-call.ts'
import { commit } from './execute/commit.ts'
import { execute } from './execute/execute.ts'
import { judge } from './judge/judge.ts'
import { logStart, type Started, withToolName } from './log-start.ts'
import { normalise } from './normalise/normalise.ts'
import { type Parsed, parse } from './parse/parse.ts'
import { prepare } from './prepare/prepare.ts'
import type { Parts, Request } from './request.ts'
import { proceed, type Stage } from './stage.ts'
import { runMovable, startTask } from './tasks/start-task.ts'
import { validate } from './validate/validate.ts'

/** The stages before approval: validate (which repairs after a failure), judge, prepare. */
export const beforeApproval: BeforeApproval = (parsed, run) => proceed(validate(parsed, run), judgeAndPrepare, run)

function judgeAndPrepare(valid: ValidCall, run: CallRun): Stage<PreparedCall> {
  return proceed(judge(valid, run), prepare, run)
}

function approveAndRun(prepared: PreparedCall, run: CallRun): Stage<Result> {
  return proceed(approve(prepared, run, beforeApproval), afterApproval, run)
}

/** The stages from the commit point on: they happen once. */
function afterApproval(cleared: ClearedCall, run: CallRun): Stage<Result> {
  return proceed(commit(cleared, run), executeAndNormalise, run)
}

function executeAndNormalise(committed: ClearedCall, run: CallRun): Stage<Result> {
  return proceed(execute(committed, run), normalise, run)
}

/** Every stage after parse, in order. */
function runStages(parsed: Parsed, run: CallRun): Stage<Result> {
  return proceed(beforeApproval(parsed, run), approveAndRun, run)
}

/** Runs one call and resolves to its result, or for a call in the background to its task id. Never throws or rejects. */
export function runCall(request: Request, parts: Parts): Promise<Result> {
  const started = performance.now()
  const parsed = parse(request, request.snapshot)
  if (!(parsed instanceof Promise)) return runParsed(parsed, request, { parts, started })
  return parsed.catch(failureOf).then((settled) => runParsed(settled, request, { parts, started }))
}

function runParsed(parsed: Parsed | Failure, given: Request, begun: Started): Promise<Result> {
  const { parts, started } = begun
  const request = withToolName(given, parsed)
  logStart(parsed, request, begun)
  if (isFailure(parsed) || !(parsed.background || isMovable(parsed)))
    return runToEnd(parsed, startRun(request, parts), started)
  const { id, session, stop } = request
  const { name: tool } = parsed.raw.entry.tool
  const call = { id, session, tool, stop }
  if (!parsed.background)
    return runMovable(call, parts, (move) => runToEnd(parsed, startRun({ ...request, move }, parts), started))
  const task = startTask(call, parts, (detach) =>
    runToEnd(parsed, startRun({ ...request, task: detach }, parts), started),
  )
  return task.finally(() => stop.end())
}

/** True for a call of a tool that may take long: a person can move it to the background while it runs. */
function isMovable({ raw: { entry } }: Parsed): boolean {
  return offersBackground(entry.tool, entry.origin)
}

function runToEnd(parsed: Parsed | Failure, run: CallRun, started: number): Promise<Result> {
  return endCall(run, () => (isFailure(parsed) ? parsed : runStages(parsed, run)), started)
}

/** Runs an approved call in place of the process that asked and has died. Call it only after taking over the call. Never throws or rejects. */
export function resumeCall(record: ApprovalRecord, request: Request, parts: Parts): Promise<Result> {
  const run = startRun(request, parts)
  run.approval = record.request.approval
  const stages = () =>
    record.request.hasRun
      ? settlePending(record, parts)
      : proceed(approveRecord(record, run, beforeApproval), afterApproval, run)
  return endCall(run, stages, performance.now() - (Date.now() - record.askedAt))
}
