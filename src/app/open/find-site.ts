import type { ApprovalRecord } from '../../core/approval/approval-record.ts'
import { planOfAgent } from '../../core/plans/agent-ids.ts'
import { drawPlan } from '../../core/plans/draw-plan.ts'
import type { Log } from '../../core/ports/log.ts'
import type { CallSite } from '../../pipeline/approval-queue.ts'
import type { OpenedHost } from '../host.ts'
import { jobRules } from '../plans/job-rules.ts'

/** Finds where a waiting call can run: in the host of its workspace, which is opened for it, once files that may define its tool have been loaded, by the rules of the plan that it works for. Undefined if the host cannot be opened or does not have the tool. */
export async function findSite(
  record: ApprovalRecord,
  { log, find }: { readonly log: Pick<Log, 'read'>; find(workspace: string): Promise<OpenedHost> },
): Promise<CallSite | undefined> {
  try {
    const { workspace, session } = record.request
    const opened = await find(workspace)
    const plan = planOfAgent(session)
    const view = plan === undefined ? undefined : drawPlan(await log.read({ session: plan }))
    if (view) opened.replaceRules(jobRules(view), `plan ${view.id}`)
    await opened.ready([record.request.tool])
    return opened.siteOf(record)
  } catch {
    return undefined
  }
}
