import type { Home } from '../../app/home.ts'
import type { Reply } from '../../core/approval/approval.ts'
import type { GrantChoice } from '../../core/approval/grant.ts'
import { listApproval } from '../../core/approval/listed-approval.ts'
import { BY, CALLER, type Handlers } from '../context.ts'
import { HttpError, orRefuse } from '../request/http-error.ts'

export const approvalHandlers: Handlers<
  | 'listApprovals'
  | 'answerApproval'
  | 'checkApproval'
  | 'dryRunApproval'
  | 'listGrants'
  | 'revokeGrant'
  | 'listInputs'
  | 'answerInput'
  | 'listDelegates'
  | 'answerDelegate'
> = {
  listApprovals: async (_, { home }) => ({
    approvals: (await home.approvals.list()).filter(({ answer }) => answer === null).map(listApproval),
  }),
  async answerApproval({ id, digest, ...given }, { home }) {
    const seen = { by: BY, ...(digest !== undefined && { digest }) }
    const asked = (await home.approvals.list()).find(({ request }) => request.approval === id)
    const accepted = orRefuse(await home.approvals.answer(id, replyOf(given), seen))
    if (asked) goOn(asked.request.session, home)
    return accepted.runs === 'here' ? { runs: 'here', result: accepted.result } : { runs: 'asker' }
  },
  checkApproval: async ({ id, modifiedArgs }, { home }) => ({
    problem: (await home.approvals.check(id, modifiedArgs)) ?? null,
  }),
  async dryRunApproval({ id }, { home, signal }) {
    const open = (await home.approvals.list()).find(({ request }) => request.approval === id)
    if (!open) throw new HttpError('FILE_NOT_FOUND', `There is no open approval request ${JSON.stringify(id)}.`)
    return home.approvals.dryRun(id, signal())
  },
  listGrants: async (_, { home }) => ({ grants: await home.approvals.grants() }),
  async revokeGrant({ id }, { home }) {
    if (await home.approvals.revoke(id)) return { done: true }
    throw new HttpError('FILE_NOT_FOUND', `There is no grant ${JSON.stringify(id)}.`)
  },
  listInputs: async (_, { home }) => ({ inputs: await home.inputs.list() }),
  async answerInput({ id, answer }, { home }) {
    const asked = (await home.inputs.list()).find(({ input }) => input === id)
    orRefuse(await home.inputs.answer(id, answer, BY))
    if (asked) goOn(asked.session, home)
    return { done: true }
  },
  listDelegates: async (_, { home }) => ({ delegates: await home.delegates.list() }),
  async answerDelegate({ id, done, text, reason = 'the app did not do it' }, { home }) {
    const answer = done ? { done, ...(text !== undefined && { text }) } : { done, reason }
    orRefuse(await home.delegates.answer(id, answer))
    return { done: true }
  },
}

/** Goes on with the run of a session whose process has died while it waited for this answer. What becomes of it is in the log. */
async function goOn(session: string, home: Home): Promise<void> {
  try {
    const found = await home.session(session, CALLER)
    await found.resume().finally(found.close)
  } catch {
    // The answer is stored; the next message goes on with the session.
  }
}

interface GivenReply {
  readonly approved: boolean
  readonly modifiedArgs?: unknown
  readonly reason?: string
  readonly grant?: GrantChoice
}

/** Only `true` is a yes. What belongs to the other answer is a mistake that must not be overlooked. */
function replyOf(given: GivenReply): Reply {
  const { approved, reason, grant } = given
  if (!approved) {
    if (grant || 'modifiedArgs' in given)
      throw new HttpError('INVALID_ARGUMENTS', 'A denial cannot have modifiedArgs or a grant.')
    return { approved, ...(reason !== undefined && { reason }) }
  }
  if (reason !== undefined) throw new HttpError('INVALID_ARGUMENTS', 'Only a denial can have a reason.')
  return { approved, ...('modifiedArgs' in given && { modifiedArgs: given.modifiedArgs }), ...(grant && { grant }) }
}
