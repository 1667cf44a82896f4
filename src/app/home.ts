import { join } from 'node:path'
import type { WhyFinding } from '../agent/why/finding.ts'
import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { Tasks } from '../core/call/task.ts'
import type { InputQueue } from '../core/input/input.ts'
import type { Outputs } from '../core/ports/outputs.ts'
import type { Listener } from '../core/session/event.ts'
import type { DelegateQueue } from '../core/tool/delegate.ts'
import { createApprovalQueue } from '../pipeline/approval-queue.ts'
import { createDelegateQueue } from '../pipeline/context/delegate-queue.ts'
import { flushEnd } from '../pipeline/execute/commit.ts'
import { createInputQueue } from '../pipeline/inputs/input-queue.ts'
import { createTasks } from '../pipeline/tasks/task-log.ts'
import { readGivenSettings, readSettings, SettingsError, type SettingsFile } from '../settings/read-settings.ts'
import { mergeGiven } from '../settings/settings.ts'
import { openTrust } from '../settings/trust.ts'
import type { ToolQuestion } from './agent/explain-tool.ts'
import { createHomeSessions, type HomeSessions } from './agent/home-sessions.ts'
import { createCallIds } from './calls/call-ids.ts'
import { orderCalls, type RunningCallOrders } from './calls/order-calls.ts'
import { createEventBus } from './event-bus.ts'
import { checkOptions, type HomeOptions, type LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import { type Host, openHost } from './host.ts'
import { type McpServers, openMcpServers } from './mcp/mcp-servers.ts'
import { createModels } from './models/create-models.ts'
import type { Models } from './models/models.ts'
import { findSite } from './open/find-site.ts'
import { HostPool } from './open/host-pool.ts'
import { openLiveSettings } from './open/live-settings.ts'
import { openManagedFolders, type ToolFolders } from './open/managed-folders.ts'
import { type ManagedRules, openManagedRules } from './open/managed-rules.ts'
import { openApprovals } from './open/open-approvals.ts'
import { openStorage } from './open/open-storage.ts'
import type { SettingOrigin } from './overview/setting-origins.ts'
import { type ShownSettings, showSettings } from './overview/shown-settings.ts'
import { type FolderListing, type KnownWorkspace, listFolders, listWorkspaces } from './overview/workspaces.ts'
import { openPlans } from './plans/open-plans.ts'
import type { Plans } from './plans/plans.ts'
import { useWorkspaces } from './programs/programs.ts'
import { createHomeMasker } from './secrets/home-masker.ts'
import { findWorkspace, homeOf, refuseEndlessHome } from './workspace.ts'

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
  /** What tools ask an app to open or show, of every workspace and process. */
  readonly delegates: DelegateQueue
  /** The background calls of every workspace and process. */
  readonly tasks: Omit<Tasks, 'idle'>
  /** Ends or moves calls that run in the foreground. */
  readonly running: RunningCallOrders
  /** Full outputs of calls whose results were cut. */
  readonly outputs: Outputs
  /** The rules that commands and pages have added. */
  readonly rules: Pick<ManagedRules, 'list' | 'add' | 'remove'>
  /** Lists the folders that sessions have worked in, the last used first. */
  workspaces(): Promise<readonly KnownWorkspace[]>
  /** Lists the folders inside a folder, the home folder when left out. Rejects with ToolError. */
  folders(path?: string): Promise<FolderListing>
  /** The settings that count, without secrets. */
  settings(): ShownSettings
  /** Each setting that counts, and where it comes from; without secrets. */
  settingOrigins(): Promise<readonly SettingOrigin[]>
  /** Says why a tool was not offered, not called, blocked, or its result not used. */
  explainTool(question: ToolQuestion): Promise<readonly WhyFinding[]>
  /** The folders with tools of the person's own. */
  readonly toolFolders: ToolFolders
  /** Makes the next use of a workspace open a new host, with the settings and the trust of now. What runs in the old one ends there. */
  reopen(workspace: string): void
  /** The models of the settings and those that are found without them. */
  readonly models: Models
  /** The MCP servers whose tools this home uses. */
  readonly mcp: McpServers
  /** Plans: lists of jobs that sub-agents work through. */
  readonly plans: Plans
  /** Calls the listener with every event of this process from now on. Returns a function that stops this. */
  on(listener: Listener): () => void
  /** Closes all hosts, then what the home opened itself. May be called twice. */
  close(): Promise<void>
}

/** Opens a home. Rejects if its settings are invalid. */
export async function openHome(options: HomeOptions = {}): Promise<Home> {
  const parts = await openParts(options)
  const { storage, bus, grants } = parts
  const over = new AbortController()
  const ending = new AbortController()
  let closing: Promise<void> | undefined

  const approvals = createApprovalQueue({
    storage,
    grants,
    find: (record) => findSite(record, { log: parts.storage.log, find: (workspace) => pool.find(workspace) }),
    isClosed: () => closing !== undefined,
    over: over.signal,
  })
  const pool: HostPool = new HostPool((workspace) => openHost({ workspace, approvals, plans }, parts))
  const host = async (given: string): Promise<Host> => {
    if (closing) throw new Error('the home is closed')
    const workspace = await findWorkspace(given, parts.haftHome, options.confirmWorkspace)
    return lend(await pool.use(workspace))
  }
  const close = async (): Promise<void> => {
    ending.abort()
    await plans.idle()
    await pool.close()
    await parts.mcp.close()
    parts.live.close()
    over.abort()
    grants.flush()
    if (options.storage === storage) await flushEnd(storage)
    else storage.close()
  }
  const inputs = createInputQueue({ storage, notify: bus.notify })
  const explainTool: Home['explainTool'] = async (question) =>
    (await import('./agent/explain-tool.ts')).explainTool({ host, log: storage.log }, question)
  const sessions = createHomeSessions({
    ...{ storage, ids: parts.ids, host },
    agent: async (workspace) => (await pool.find(workspace)).agent,
    toolsOf: (workspace) => pool.find(workspace),
    asking: () => findAsking(approvals, inputs),
  })
  const plans = openPlans({
    home: parts,
    use: async (workspace) => pool.use(await findWorkspace(workspace, parts.haftHome, options.confirmWorkspace)),
    open: sessions.session,
    over: ending.signal,
  })
  return {
    host,
    reopen: (workspace) => pool.reopen(workspace),
    explainTool,
    ...sessions,
    ...lookAround(parts, pool),
    running: orderCalls({
      ...{ log: storage.log, emit: bus.emit },
      find: (call) => pool.opened().flatMap((one) => one.findCall(call) ?? [])[0],
    }),
    log: storage.log,
    approvals,
    inputs,
    delegates: createDelegateQueue({ storage, notify: bus.notify }),
    ...{ models: parts.models, mcp: parts.mcp, plans },
    on: bus.on,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Returns a host of the pool for one user, whose `close` ends the use of it. */
function lend({ opened, release }: Awaited<ReturnType<HostPool['use']>>): Host {
  return {
    ...opened.host,
    get mode() {
      return opened.host.mode
    },
    close: async () => release(),
  }
}

/** The sessions that wait for a person. */
async function findAsking(approvals: ApprovalQueue, inputs: InputQueue): Promise<ReadonlySet<string>> {
  return new Set([
    ...(await approvals.list()).filter(({ answer }) => answer === null).map(({ request }) => request.session),
    ...(await inputs.list()).map(({ session }) => session),
  ])
}

/** What a home shows of itself: tasks, outputs, rules, folders, settings. */
function lookAround(parts: HomeParts, pool: HostPool) {
  const { storage, bus, managed, haftHome } = parts
  return {
    toolFolders: parts.toolFolders,
    tasks: createTasks({
      ...{ log: storage.log, emit: bus.emit },
      background: { cancel: (call) => pool.opened().some((one) => one.cancelTask(call)), idle: async () => undefined },
    }),
    outputs: storage.outputs,
    rules: managed,
    workspaces: () => listWorkspaces(storage.log),
    folders: async (path?: string) => listFolders(path, haftHome),
    settings: () => showSettings(parts),
    settingOrigins: async () => (await import('./overview/setting-origins.ts')).listSettingOrigins(parts),
  }
}

/** Opens the parts that all workspaces share. */
async function openParts(options: HomeOptions): Promise<HomeParts> {
  checkOptions(options)
  const { home, onProblem = warnOfProblem, onNotice = warnOfProblem } = options
  refuseEndlessHome(homeOf(home))
  const file = home === undefined ? undefined : await readSettings(join(home, 'settings.toml'))
  const user = options.settings === undefined ? file : addSettings(file, options.settings)
  const live = await openLiveSettings(home, user)
  const settings = live.now()
  const masker = createHomeMasker(home, settings.log.secrets)
  const chosen = { storage: options.storage, home, settings, masker, onProblem, onNotice }
  const storage = await openStorage(chosen).catch((thrown) => {
    live.close()
    throw thrown
  })
  if (home !== undefined) useWorkspaces(home)
  return {
    options,
    haftHome: homeOf(home),
    user,
    settings,
    live,
    managed: openManagedRules(home, live),
    toolFolders: openManagedFolders({ home, live, user, log: storage.log }),
    models: createModels({ home, live, user, env: process.env, folder: process.cwd() }),
    mcp: openMcpServers({ home, live, user, env: process.env, masker }),
    storage,
    masker,
    ...openApprovals(home, settings),
    trust: openTrust(home),
    bus: createEventBus(storage.log),
    ids: createCallIds(),
  }
}

/** Puts the settings that a program gives above those of the file. */
function addSettings(file: SettingsFile | undefined, settings: unknown): SettingsFile {
  const code = readGivenSettings(settings)
  if (file) return { ...code, path: `${file.path} with ${code.path}`, given: mergeGiven(file.given, code.given) }
  if (code.given.toolsDirs === undefined && code.given.python === undefined) return code
  throw new SettingsError(
    `${code.path}: tools_dirs and python need the option home: tools of folders are loaded with it`,
  )
}

function warnOfProblem(problem: string | undefined): void {
  if (problem !== undefined) process.emitWarning(problem, 'HaftLogWarning')
}
