import { join } from 'node:path'
import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import { type Failure, failure } from '../core/call/result.ts'
import type { Listener } from '../core/session/event.ts'
import { type CallSite, createApprovalQueue } from '../pipeline/approval-queue.ts'
import { flushEnd } from '../pipeline/execute/commit.ts'
import { managedPath } from '../settings/managed/managed-file.ts'
import { readSettings } from '../settings/read-settings.ts'
import { layerSettings } from '../settings/settings.ts'
import { openTrust } from '../settings/trust.ts'
import { createCallIds } from './call-ids.ts'
import { createEventBus } from './event-bus.ts'
import type { HomeOptions, LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import { type Host, type OpenedHost, openHost } from './host.ts'
import { createModels } from './models/create-models.ts'
import type { Models } from './models/models.ts'
import { openApprovals } from './open/open-approvals.ts'
import { openStorage } from './open/open-storage.ts'
import { continueSession, type Session, type SessionCaller } from './sessions/session.ts'
import { findWorkspace, homeOf } from './workspace.ts'

/** Everything that the workspaces of one HAFT_HOME share: settings, log, approvals, grants, trust. */
export interface Home {
  /** The host of a workspace: opened once, and closed some time after whoever opened it has closed it. */
  host(workspace: string): Promise<Host>
  /** Goes on with a session that the log knows; rejects where it does not. */
  session(id: string, caller?: SessionCaller): Promise<Session>
  /** Removes a session with its messages, outputs and the sessions below it; CONFLICT while one of them runs. */
  deleteSession(id: string): Promise<Failure | undefined>
  /** What was kept, of every workspace and process. */
  readonly log: LogReader
  /** The requests that wait, of every workspace and process, and what was granted. */
  readonly approvals: ApprovalQueue
  /** The models of the settings and those that are found without them. */
  readonly models: Models
  /** Hears of every event of this process from now on; returns how to stop. */
  on(listener: Listener): () => void
  /** Closes every host, then what the home opened itself. May be called twice. */
  close(): Promise<void>
}

/** How long a host that nobody uses stays open, in milliseconds. */
const LINGER = 60_000

/** Opens a home. Throws where its settings are wrong. */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  const parts = await openParts(options)
  const { storage, bus, grants } = parts
  const hosts = new Map<string, Promise<OpenedHost>>()
  const over = new AbortController()
  let closing: Promise<void> | undefined

  const approvals = createApprovalQueue({
    storage,
    grants,
    find: (record) => findSite(record, find),
    isClosed: () => closing !== undefined,
    over: over.signal,
  })
  const find = (workspace: string): Promise<OpenedHost> => {
    const known = hosts.get(workspace)
    if (known) return known
    const opening = openHost({ workspace, approvals }, parts)
    hosts.set(workspace, opening)
    opening.catch(() => hosts.delete(workspace))
    return opening
  }
  /** Closes a host that nobody uses and in which nothing runs; looks again later where something does. */
  const closeIdle = (workspace: string, opened: OpenedHost): void => {
    setTimeout(() => {
      if (opened.users > 0 || closing) return
      if (opened.isBusy) return closeIdle(workspace, opened)
      hosts.delete(workspace)
      opened.closeParts().catch(() => undefined)
    }, LINGER).unref()
  }
  const host = async (given: string): Promise<Host> => {
    if (closing) throw new Error('the home is closed')
    const workspace = await findWorkspace(given, parts.haftHome, options.confirmWorkspace)
    const opened = await find(workspace)
    opened.users++
    let isOpen = true
    const close = async () => {
      if (isOpen && --opened.users === 0) closeIdle(workspace, opened)
      isOpen = false
    }
    return { ...opened.host, close }
  }
  const close = async (): Promise<void> => {
    for (const opened of await Promise.allSettled(hosts.values()))
      if (opened.status === 'fulfilled') await opened.value.closeParts()
    over.abort()
    grants.close()
    if (options.storage === storage) await flushEnd(storage)
    else storage.close()
  }
  return {
    host,
    session: (id, caller) =>
      continueSession(id, {
        log: storage.log,
        host,
        caller,
        sessionsOf: async (workspace) => (await find(workspace)).sessions,
      }),
    async deleteSession(id) {
      if (await storage.leases.delete(id)) return undefined
      return failure('CONFLICT', `The session ${id} is running, or one that it started. Stop it first.`)
    },
    log: storage.log,
    approvals,
    models: parts.models,
    on: bus.on,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Opens what all workspaces share. */
async function openParts(options: HomeOptions): Promise<HomeParts> {
  const { home, onProblem = warnOfProblem } = options
  const user = home === undefined ? undefined : await readSettings(join(home, 'settings.toml'))
  const managed = home === undefined ? undefined : await readSettings(managedPath(home))
  const settings = layerSettings(managed?.given ?? {}, user?.given ?? {})
  const storage = await openStorage({ storage: options.storage, home, settings, onProblem })
  return {
    options,
    haftHome: homeOf(home),
    user,
    settings,
    models: createModels({ home, settings, user, env: process.env, folder: process.cwd() }),
    storage,
    ...openApprovals(home, settings),
    trust: openTrust(home),
    bus: createEventBus(storage.log),
    ids: createCallIds(),
  }
}

/** Where a call that waits can run: in the host of its workspace, which is opened for it, if that has its tool. */
async function findSite(
  record: ApprovalRecord,
  find: (workspace: string) => Promise<OpenedHost>,
): Promise<CallSite | undefined> {
  try {
    return (await find(record.request.workspace)).siteOf(record)
  } catch {
    return undefined
  }
}

function warnOfProblem(problem: string | undefined): void {
  if (problem !== undefined) process.emitWarning(problem, 'HaftLogWarning')
}
