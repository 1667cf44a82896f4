import { join } from 'node:path'
import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import type { InputQueue } from '../core/input/input.ts'
import type { Listener } from '../core/session/event.ts'
import { type CallSite, createApprovalQueue } from '../pipeline/approval-queue.ts'
import { flushEnd } from '../pipeline/execute/commit.ts'
import { createInputQueue } from '../pipeline/inputs/input-queue.ts'
import { managedPath } from '../settings/managed/managed-file.ts'
import { readSettings } from '../settings/read-settings.ts'
import { layerSettings } from '../settings/settings.ts'
import { openTrust } from '../settings/trust.ts'
import { createHomeSessions, type HomeSessions } from './agent/home-sessions.ts'
import { createCallIds } from './calls/call-ids.ts'
import { createEventBus } from './event-bus.ts'
import type { HomeOptions, LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import { type Host, type OpenedHost, openHost } from './host.ts'
import { createModels } from './models/create-models.ts'
import type { Models } from './models/models.ts'
import { openApprovals } from './open/open-approvals.ts'
import { openStorage } from './open/open-storage.ts'
import { createHomeMasker } from './secrets/home-masker.ts'
import { findWorkspace, homeOf } from './workspace.ts'

/** Everything that the workspaces of one HAFT_HOME share: settings, log, approvals, grants, trust. */
export interface Home extends HomeSessions {
  /** Opens the host of a workspace. It is opened only once, and closed some time after its last user has closed it. */
  host(workspace: string): Promise<Host>
  /** The log of all workspaces and processes. */
  readonly log: LogReader
  /** The approval requests of all workspaces and processes, and the grants. */
  readonly approvals: ApprovalQueue
  /** The questions of tools that wait for a person's answer, of every workspace and process. */
  readonly inputs: InputQueue
  /** The models of the settings and those that are found without them. */
  readonly models: Models
  /** Calls the listener with every event of this process from now on. Returns a function that stops this. */
  on(listener: Listener): () => void
  /** Closes all hosts, then what the home opened itself. May be called twice. */
  close(): Promise<void>
}

/** How long an unused host stays open, in milliseconds. */
const LINGER = 60_000

/** Opens a home. Rejects if its settings are invalid. */
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
  /** Closes an unused host after a while. If something still runs in it, tries again later. */
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
  const agent = async (workspace: string) => (await find(workspace)).agent
  const sessionsOf = async (workspace: string) => (await find(workspace)).sessions
  return {
    host,
    ...createHomeSessions({ storage, ids: parts.ids, host, agent, sessionsOf }),
    log: storage.log,
    approvals,
    inputs: createInputQueue({ storage, notify: bus.notify }),
    models: parts.models,
    on: bus.on,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Opens the parts that all workspaces share. */
async function openParts(options: HomeOptions): Promise<HomeParts> {
  const { home, onProblem = warnOfProblem } = options
  const user = home === undefined ? undefined : await readSettings(join(home, 'settings.toml'))
  const managed = home === undefined ? undefined : await readSettings(managedPath(home))
  const settings = layerSettings(managed?.given ?? {}, user?.given ?? {})
  const masker = createHomeMasker(home, settings.log.secrets)
  const storage = await openStorage({ storage: options.storage, home, settings, masker, onProblem })
  return {
    options,
    haftHome: homeOf(home),
    user,
    settings,
    models: createModels({ home, settings, user, env: process.env, folder: process.cwd() }),
    storage,
    masker,
    ...openApprovals(home, settings),
    trust: openTrust(home),
    bus: createEventBus(storage.log),
    ids: createCallIds(),
  }
}

/** Finds where a waiting call can run: in the host of its workspace, which is opened for it. Undefined if the host cannot be opened or does not have the tool. */
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
