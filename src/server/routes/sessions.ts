import type { Session } from '../../app/sessions/session.ts'
import { messageOf } from '../../core/call/result.ts'
import { canGoOn } from '../../core/session/is-cut-off.ts'
import type { Attachment } from '../../core/session/message.ts'
import type { SessionSummary } from '../../core/session/session-record.ts'
import { describeTool } from '../../core/tool/describe-tool.ts'
import { BY, CALLER, type Handlers, type ServerParts, withHost } from '../context.ts'
import { HttpError, orRefuse } from '../request/http-error.ts'

export const sessionHandlers: Handlers<
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'listSessionTools'
  | 'changeSession'
  | 'deleteSession'
  | 'sendMessage'
  | 'resumeSession'
  | 'stopSession'
  | 'forkSession'
  | 'rewindSession'
  | 'searchSessions'
> = {
  listSessions: async (filter, { home }) => ({ sessions: await home.sessions(filter) }),
  async createSession({ message, attachments, model, mode, workspace, tools, mcpServers, only, maxSteps }, request) {
    const { home } = request
    const { name } = await home.models.choose(model)
    // A model that does not exist must not leave an empty session.
    await home.models.open(name)
    return withHost(request, workspace, async (host) => {
      const selection = {
        ...(tools && { tools }),
        ...(mcpServers && { mcpServers }),
        ...(only === true && { only: true as const }),
      }
      const session = await beginSession(() =>
        host.session({ ...CALLER, ...selection, ...(mode && { mode }), model: name }),
      )
      return {
        ...(await post(session, message, { attachments, maxSteps })),
        session: await summarise(request, session.id),
      }
    })
  },
  listSessionTools: ({ id }, request) =>
    withSession(request, id, async ({ snapshot }) => ({ tools: snapshot.tools.map(describeTool) })),
  getSession: async ({ id }, request) => ({ session: await summarise(request, id) }),
  async changeSession({ id, title, model, mode }, request) {
    const change = {
      ...(title !== undefined && { title }),
      ...(model !== undefined && { model }),
      ...(mode && { mode }),
    }
    if (Object.keys(change).length === 0) throw new HttpError('INVALID_ARGUMENTS', 'Give a title, a model or a mode.')
    await withSession(request, id, (session) => session.change(change))
    return { session: await summarise(request, id) }
  },
  async deleteSession({ id }, { home }) {
    orRefuse(await home.deleteSession(id))
    return { done: true }
  },
  async sendMessage({ id, message, attachments, model, maxSteps }, request) {
    const posted = await withSession(request, id, (session) => post(session, message, { attachments, model, maxSteps }))
    return { ...posted, session: await summarise(request, id) }
  },
  async resumeSession({ id }, request) {
    const { home } = request
    const { state, model } = await summarise(request, id)
    if (state === 'running' || state === 'waiting' || !canGoOn(await home.log.read({ session: id })))
      throw new HttpError('CONFLICT', `There is no run of the session ${id} to go on with. Send a message.`)
    if (model !== null) await home.models.open(model)
    const session = await openSession(request, id)
    // What becomes of the run is in the log.
    session
      .resume({ afterLimit: true })
      .finally(session.close)
      .catch(() => undefined)
    return { session: await summarise(request, id) }
  },
  async stopSession({ id }, request) {
    await withSession(request, id, async (session) => session.stop(BY))
    return { done: true }
  },
  async forkSession({ id, event, before }, request) {
    await summarise(request, id)
    const events = await request.home.log.read({ session: id })
    if (!events.some((one) => one.id === event))
      throw new HttpError('FILE_NOT_FOUND', `There is no event ${JSON.stringify(event)} in this session.`)
    const fork = await request.home.fork(id, event, { ...CALLER, ...(before && { before: true }) })
    await fork.close()
    return { session: await summarise(request, fork.id) }
  },
  async rewindSession({ id, event, dryRun, force }, request) {
    const options = { ...(dryRun && { dryRun }), ...(force && { force }), by: BY }
    const { session, ...rewound } = orRefuse(await request.home.rewind(id, event, options))
    return { ...rewound, ...(session !== undefined && { session: await summarise(request, session) }) }
  },
  async searchSessions({ q, limit }, { home }) {
    const hits = await home.search(q, limit)
    const states = new Map((await home.sessions({ limit: 1_000 })).map((one) => [one.session, one.state]))
    return {
      hits: hits.map(({ session, message }) => ({
        session: { ...session, state: states.get(session.session) ?? 'idle' },
        ...(message && { message }),
      })),
    }
  },
}

/** Works with a session that the log knows. Rejects with HttpError where it does not, or where its workspace is gone. */
export async function withSession<T>(
  parts: ServerParts,
  id: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(parts, id)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

async function openSession({ home }: ServerParts, id: string): Promise<Session> {
  const [record] = await home.log.sessions({ session: id, limit: 1 })
  if (!record) throw unknown(id)
  return home.session(id, CALLER).catch((thrown: unknown) => {
    throw new HttpError('CONFLICT', `The session ${id} cannot be opened: ${messageOf(thrown)}.`)
  })
}

async function summarise({ home }: ServerParts, id: string): Promise<SessionSummary> {
  const [found] = await home.sessions({ session: id, limit: 1 })
  if (!found) throw unknown(id)
  return found
}

function unknown(id: string): HttpError {
  return new HttpError('FILE_NOT_FOUND', `There is no session ${JSON.stringify(id)}.`)
}

/** A selection that names a tool which does not exist is a mistake of the caller. */
async function beginSession(begin: () => Promise<Session>): Promise<Session> {
  try {
    return await begin()
  } catch (thrown) {
    throw new HttpError('INVALID_ARGUMENTS', `${messageOf(thrown)}.`)
  }
}

interface Posted {
  readonly attachments: readonly Attachment[] | undefined
  readonly model?: string | undefined
  readonly maxSteps: number | undefined
}

/** Sends a message; the run goes on after the answer. How it ends is in the log. */
async function post(
  session: Session,
  message: string,
  { attachments, model, maxSteps }: Posted,
): Promise<{ event: string }> {
  const { event, end } = await session.post(message, {
    ...(attachments && { attachments }),
    ...(model !== undefined && { model }),
    ...(maxSteps !== undefined && { maxSteps }),
  })
  end.catch(() => undefined)
  return { event: event.id }
}
