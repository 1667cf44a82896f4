import type { Home } from '../../app/home.ts'
import type { Session, SessionCaller, SessionOptions } from '../../app/sessions/session.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import { findSession, type IdProblem } from '../output/find-id.ts'
import { findLastConversation } from './find-conversation.ts'

/** Which session is opened. */
export interface SessionChoice {
  readonly workspace: string
  /** The id of a session or its start, or true for the last one of the workspace; a new session when left out. */
  readonly continued?: string | true | undefined
  readonly model?: string | undefined
  readonly selection: Pick<SessionOptions, 'tools' | 'only' | 'mode'>
  readonly caller: SessionCaller
  /** Called with each tool file that is slow or broken. */
  fileProblem?(problem: Skipped): void
}

/** A session that is open, with what the person is told about its model. */
export interface ChosenSession {
  readonly session: Session
  readonly note?: string | undefined
}

/** Opens the session of a run: a new one in the workspace, or one that the log knows. */
export async function openSession(home: Home, choice: SessionChoice): Promise<ChosenSession | { problem: IdProblem }> {
  const { workspace, continued, caller } = choice
  if (continued !== undefined) {
    const id = await findContinued(home, workspace, continued)
    if (typeof id !== 'string') return id
    const session = await home.session(id, caller)
    const host = await home.host(session.workspace)
    if (choice.fileProblem) host.onFileProblem(choice.fileProblem)
    return { session }
  }
  const host = await home.host(workspace)
  if (choice.fileProblem) host.onFileProblem(choice.fileProblem)
  const { name, note } = await home.models.choose(choice.model)
  return { session: await host.session({ ...choice.selection, ...caller, model: name }), note }
}

async function findContinued(
  home: Home,
  workspace: string,
  continued: string | true,
): Promise<string | { problem: IdProblem }> {
  if (continued === true) return findLastConversation(home, (await home.host(workspace)).workspace)
  const found = await findSession(home.log, continued)
  return 'problem' in found ? found : found.id
}
