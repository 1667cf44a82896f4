import type { StartedCall } from '../../app/calls/call-starter.ts'
import type { OrderOutcome } from '../../app/calls/order-calls.ts'
import { listApproval } from '../../core/approval/listed-approval.ts'
import type { CheckReport } from '../../core/call/check-report.ts'
import { failure, type Result } from '../../core/call/result.ts'
import { Answered, BY, type Handlers, type RequestParts, type ServerParts, withHost } from '../context.ts'
import { HttpError } from '../request/http-error.ts'
import { withSession } from './sessions.ts'

/** Lines of a kept output that one answer holds. */
const LINES = 2_000

export const callHandlers: Handlers<'callTool' | 'getCall' | 'cancelCall' | 'moveCall' | 'readOutput' | 'undo'> = {
  async callTool({ name, arguments: args, session, workspace, mode, timeout, detached = false }, request) {
    const stop = new AbortController()
    const options = {
      ...{ wait: true, by: BY, signal: stop.signal },
      ...(mode && { mode }),
      ...(timeout !== undefined && { timeout }),
    }
    if (session !== undefined)
      return withSession(request, session, async (found) => {
        const started = found.start(name, args, options)
        return detached ? answerStarted(started, request) : answerCall(started, stop, request)
      })
    return withHost(request, workspace, async (host) => {
      await host.prepareTool(name)
      const started = host.start(name, args, options)
      return detached ? answerStarted(started, request) : answerCall(started, stop, request)
    })
  },
  async getCall({ id }, { home }) {
    const result = await readResult(home, id)
    if (result) return result
    const [record] = await home.log.calls({ call: id, limit: 1 })
    if (!record) throw new HttpError('FILE_NOT_FOUND', `There is no call ${JSON.stringify(id)}.`)
    return new Answered(202, await describeOpen(home, id))
  },
  async cancelCall({ id }, { home }) {
    // A task has a request of its own, which its process follows.
    if (await home.tasks.cancel(id)) return { done: true }
    return answerOrder(id, await home.running.cancel(id, BY))
  },
  moveCall: async ({ id }, { home }) => answerOrder(id, await home.running.moveToBackground(id, BY)),
  async readOutput({ id, from = 1, to = from + LINES - 1 }, { home }) {
    const last = Math.min(to, from + LINES - 1)
    const part = await home.outputs.read(id, from, last)
    if (part) return part
    throw new HttpError(
      'FILE_NOT_FOUND',
      `No full output of ${JSON.stringify(id)} is kept; its result holds all of it.`,
    )
  },
  undo: ({ id, plan, job, workspace, dryRun = false, force = false }, request) =>
    undoCalls({ id, plan, job, dryRun, force }, workspace, request),
}

function answerOrder(id: string, outcome: OrderOutcome): { readonly done: true } {
  if (outcome === 'unknown') throw new HttpError('FILE_NOT_FOUND', `There is no call ${JSON.stringify(id)}.`)
  if (outcome === 'ended') throw new HttpError('CONFLICT', `The call ${id} has already ended.`)
  if (outcome === 'stuck')
    throw new HttpError(
      'CONFLICT',
      `The call ${id} cannot be moved: it does not run yet, is in the background already, or its tool ends soon by itself.`,
    )
  return { done: true }
}

/** Answers with the result of a call, or with its approval request as soon as there is one; from then on the call no longer depends on its caller. */
async function answerCall(started: StartedCall, stop: AbortController, { home, signal }: RequestParts) {
  const gone = signal()
  const { id, result } = started
  const asked = Promise.withResolvers<'asked'>()
  const stopListening = home.on((event) => {
    if (event.type === 'approval-request' && event.call === id) asked.resolve('asked')
  })
  const cancel = () => stop.abort()
  gone.addEventListener('abort', cancel, { once: true })
  if (gone.aborted) cancel()
  try {
    const first = await Promise.race([result, asked.promise])
    // What leaves this process is what the log has: with secrets masked.
    if (first !== 'asked') return (await readResult(home, id)) ?? first
    // The request is stored in the commit that follows its event.
    await home.log.end()
    const open = await describeOpen(home, id)
    if (open.approval) return new Answered(202, open)
    return (await readResult(home, id)) ?? (await result)
  } finally {
    stopListening()
    gone.removeEventListener('abort', cancel)
  }
}

/** Answers as soon as the log has a call; from then on it no longer depends on its caller. */
async function answerStarted({ id }: StartedCall, { home }: RequestParts) {
  await home.log.end()
  const [record] = await home.log.calls({ call: id, limit: 1 })
  return new Answered(202, { call: id, ...(record && { session: record.session }) })
}

type CallHome = Pick<ServerParts['home'], 'log' | 'approvals'>

/** Returns the result of a call that has ended, as the log has it. */
async function readResult({ log }: Pick<CallHome, 'log'>, call: string): Promise<Result | undefined> {
  const end = (await log.read({ call })).findLast((event) => event.type === 'call-end')
  return end?.type === 'call-end' ? end.result : undefined
}

async function describeOpen({ approvals }: CallHome, call: string) {
  const open = (await approvals.list()).find(({ request, answer }) => request.call === call && answer === null)
  return { call, ...(open && { approval: listApproval(open) }) }
}

interface UndoOrder {
  readonly id: string | undefined
  readonly plan: string | undefined
  readonly job: string | undefined
  readonly dryRun: boolean
  readonly force: boolean
}

async function undoCalls(
  { id, plan, job, dryRun, force }: UndoOrder,
  workspace: string | undefined,
  request: RequestParts,
) {
  const { home } = request
  const about = plan ?? id
  const place = workspace ?? (about === undefined ? undefined : await workspaceOf(home, about))
  return withHost(
    request,
    place,
    async (host): Promise<{ calls: readonly string[]; result?: Result; check?: CheckReport }> => {
      const isJob = plan !== undefined && job !== undefined
      const calls = isJob ? await home.plans.undoable(plan, job) : await host.undoable(id)
      if (calls.length === 0) {
        const what =
          about === undefined
            ? 'There is nothing to undo in this workspace.'
            : `${isJob ? job : about} changed no file that can be restored.`
        return { calls, result: failure('FILE_NOT_FOUND', what) }
      }
      const given = { ...(force && { force: true }) }
      if (dryRun) return { calls, check: await host.previewUndo(calls, given) }
      return {
        calls,
        result: await host.undo(calls, { ...given, decision: 'allow', by: BY, signal: request.signal() }),
      }
    },
  )
}

/** The workspace of a call or session; undefined where the log does not know it. */
async function workspaceOf({ log }: Pick<CallHome, 'log'>, id: string): Promise<string | undefined> {
  const [call] = await log.calls({ call: id, limit: 1 })
  const [session] = call ? [] : await log.sessions({ session: id, limit: 1 })
  return call?.workspace ?? session?.workspace ?? undefined
}
