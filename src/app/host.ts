import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Tasks } from '../core/call/task.ts'
import type { Replaced } from '../core/ports/files.ts'
import type { PendingChanges, Sandbox, SandboxFinding } from '../core/ports/sandbox.ts'
import type { Rule, RuleInForce } from '../core/rules/rule.ts'
import type { Listener } from '../core/session/event.ts'
import type { Mode } from '../core/session/mode.ts'
import type { DelegateHandler } from '../core/tool/delegate.ts'
import { createFiles } from '../files/files.ts'
import { createPathLookup } from '../files/path-lookup.ts'
import type { CallSite } from '../pipeline/approval-queue.ts'
import { createDelegate } from '../pipeline/context/ask-app.ts'
import { type ExampleReport, testExamples } from '../pipeline/judge/test-example.ts'
import type { Parts } from '../pipeline/request.ts'
import { BackgroundCalls } from '../pipeline/tasks/background-calls.ts'
import { followCancels } from '../pipeline/tasks/follow-cancels.ts'
import { createTasks } from '../pipeline/tasks/task-log.ts'
import type { Registry } from '../registry/registry.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { noteNarrowRules } from '../settings/note-narrow-rules.ts'
import { type Project, readProject } from '../settings/project.ts'
import { settledRules } from '../settings/settled-rules.ts'
import { type AgentParts, createAgentParts } from './agent/agent-parts.ts'
import { createAgents } from './agent/agents.ts'
import { type CallFunction, createCallFunction } from './calls/call-function.ts'
import {
  type CallerOptions,
  type CallOptions,
  type CheckOptions,
  createCallStarter,
  type StartedCall,
} from './calls/call-starter.ts'
import type { LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import type { Models } from './models/models.ts'
import { openRules } from './open/open-rules.ts'
import { openSandbox, recoverChanges } from './open/open-sandbox.ts'
import { settleRules } from './open/settle-rules.ts'
import { listNodeFolders } from './open-node-sources.ts'
import { findHostFolder } from './open-tool-sources.ts'
import { openTools } from './open-tools.ts'
import type { ReplayOptions, ReplayReport } from './replay.ts'
import { beginSession, inheritedMode, type Session, type SessionOptions } from './sessions/session.ts'
import type { AllSessionTools } from './sessions/session-tools.ts'
import { createUndo, recoverUndos, type Undo } from './undo.ts'

/** One workspace: its tools, rules, sandbox and files. */
export interface Host extends Undo {
  readonly workspace: string
  /** The mode of calls and sessions that name none. */
  readonly mode: Mode
  readonly registry: Registry
  /** Loads the tools of every source again, also where nothing seems to have changed; sessions under way keep theirs. */
  refreshTools(): Promise<void>
  /** Tries each promise of the sandbox and reports what works on this machine. */
  examineSandbox(): Promise<readonly SandboxFinding[]>
  /** Runs one call through the pipeline, by the name of a tool or by the tool itself. Never throws or rejects. */
  readonly call: CallFunction<CallOptions>
  /** Starts one call, and returns its id at once. */
  start(name: string, args?: unknown, options?: CallOptions): StartedCall
  /** Runs the stages before the commit point and reports what would happen. Never throws or rejects. */
  check(name: string, args?: unknown, options?: CheckOptions): Promise<CheckReport>
  /** Begins a session in this workspace. */
  session(options?: SessionOptions): Promise<Session>
  /** Adds a rule to this host only, in the user's layer. */
  addRule(rule: Rule): void
  /** All active rules, the weakest layer first; the defaults as they are in a mode, the host's own when left out. */
  rules(mode?: Mode): Promise<readonly RuleInForce[]>
  /** Judges the calls of the log in this workspace again by the rules of now, or of another settings file. Runs nothing. */
  replay(options?: ReplayOptions): Promise<ReplayReport>
  /** Tests the examples of an active rule. */
  testRule(rule: RuleInForce): Promise<readonly ExampleReport[]>
  /** The workspace's own settings, and which of them count. */
  readonly project: Project
  /** Records that a person trusts the current content of the project's settings. Hosts opened from now on use them. */
  trustProject(): void
  /** Changes of commands that wait to be applied or discarded; undefined if commands change the workspace itself. */
  readonly pending: PendingChanges | undefined
  /** The background calls of all processes of this home. */
  readonly tasks: Tasks
  /** Adds a handler for requests of tools to the app: open, show, close, report. The first handler that answers counts. Returns a function that removes it. */
  onDelegate(handler: DelegateHandler): () => void
  /** The approval requests of all processes of this home, and the grants. */
  readonly approvals: ApprovalQueue
  /** The models of this home. */
  readonly models: Models
  /** Calls the listener with every event of this process, of all hosts of this home, from now on. Returns a function that stops this. */
  on(listener: Listener): () => void
  /** Read access to the log. */
  readonly log: LogReader
  /** Ends this use of the host. An unused host is closed later. Closing the home cancels what runs. May be called twice. */
  close(): Promise<void>
}

/** An open host, with what only its home may use. */
export interface OpenedHost {
  readonly agent: AgentParts
  readonly host: Omit<Host, 'close'>
  /** How many users have opened it and not closed it. */
  users: number
  /** True while a call or task runs. */
  readonly isBusy: boolean
  /** Returns how to run a call that waits for an answer; undefined if this host does not have its tool. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  /** The tools of its sessions. */
  readonly sessions: AllSessionTools
  /** Cancels what runs and closes what the host opened. May be called twice. */
  closeParts(): Promise<void>
}

/** What a home passes to a host. */
export interface HostOpening {
  readonly workspace: string
  readonly approvals: ApprovalQueue
}

/** Opens the host of a workspace. Rejects if a tool name is taken, or a rule or the settings are invalid. */
export async function openHost({ workspace, approvals }: HostOpening, home: HomeParts): Promise<OpenedHost> {
  const { options, storage, bus, ids, user, trust, settings } = home
  const project = await readProject(workspace, trust)
  const rules = openRules(workspace, home, createPathLookup(workspace))
  const { secrets, sandbox, tools, files } = await openMeans({ workspace, project, rules }, home)
  const { registry, sessions } = tools
  const own = { workspace, judge: rules, sandbox, files }
  const { parts, onDelegate } = joinParts(home, { ...own, agents: (parent) => agents(parent) })
  const mode = options.mode ?? project.mode ?? settings.mode
  const defaults = { ...defaultsOf(options), mode }
  const starter = createCallStarter({ parts, ids, defaults, snapshot: () => registry.snapshot() })
  const start: Host['start'] = (name, args, given = {}) => starter.start(name, args, given)
  const agent = createAgentParts(home, parts)
  const begin = (given?: SessionOptions, from = registry.snapshot()) =>
    beginSession(given, { host, agent, ids, parts, sessions, from })
  const agents = createAgents({ agent, begin })
  const host: Omit<Host, 'close'> = {
    workspace,
    mode,
    registry,
    refreshTools: tools.refresh,
    examineSandbox: () => sandbox.examine(),
    start,
    call: createCallFunction({ snapshot: () => registry.snapshot(), start }),
    check: (name, args, given = {}) => starter.check(name, args, given),
    session: async (given) =>
      begin({ ...given, mode: given?.mode ?? (await inheritedMode(given?.parent, storage.log)) ?? mode }),
    addRule: (rule) => rules.add(rule, { layer: 'user', source: 'code' }),
    rules: (given = mode) => rules.list(given),
    async replay(given = {}) {
      const { replayLog } = await import('./replay.ts')
      return replayLog(given, { workspace, home, project, log: storage.log, snapshot: () => registry.snapshot() })
    },
    testRule: (rule) => testExamples(rule, registry.snapshot(), parts),
    project,
    trustProject: () => trust.record(workspace, project.content ?? ''),
    pending: sandbox.pending,
    tasks: parts.tasks,
    onDelegate,
    approvals,
    models: home.models,
    on: bus.on,
    log: storage.log,
    ...createUndo({ workspace, storage, start }),
  }
  const opened: OpenedHost = {
    host,
    agent,
    users: 0,
    get isBusy() {
      return starter.isBusy || parts.background.isBusy || agent.running.size > 0
    },
    siteOf: starter.siteOf,
    sessions,
    async closeParts() {
      for (const { stop } of agent.running.values()) stop.abort()
      await Promise.all([starter.close(), parts.background.close()])
      await tools.close()
      secrets.close()
      if (options.sandbox !== sandbox) await sandbox.close()
    },
  }
  await settleAll(opened, {
    ...{ rules, project, user, hasTools: options.toolFolders !== false },
    onNotice: options.onNotice ?? warnOfNotice,
  })
  return opened
}

interface MeansParts {
  readonly workspace: string
  readonly project: Project
  readonly rules: RuleBook
}

/** Opens what calls work with: the secrets, sandbox, tools and files of a workspace. Finishes first what a dead process was applying. */
async function openMeans({ workspace, project, rules }: MeansParts, home: HomeParts) {
  const { options, storage, user, settings, haftHome } = home
  const secrets = await home.masker.openWorkspace(workspace)
  const replaced = (record: Replaced) => storage.undo.keep({ ...record, workspace })
  const replacedAll = (records: readonly Replaced[]) =>
    storage.undo.keepAll(records.map((record) => ({ ...record, workspace })))
  const keptLimit = settings.log.maxContentMb * 1_000_000
  const shown = project.tools.length > 0 ? [findHostFolder(), ...listNodeFolders()] : []
  const { listHiddenFiles } = secrets
  const told = { keptLimit, replaced, replacedAll, listHiddenFiles }
  const location = { workspace, home: haftHome, env: process.env, shown, ...told }
  await recoverChanges(location, storage.approvals)
  recoverUndos({ workspace, keptLimit, undo: storage.undo })
  const sandbox = openSandbox(options.sandbox ?? user?.given.sandbox, location)
  const tools = await openTools({ workspace, project, sandbox, rules }, home)
  const files = createFiles({ workspace, keptLimit, replaced })
  return { secrets, sandbox, tools, files }
}

/** Who answers for calls that name nobody. */
function defaultsOf({ approver, wait }: HomeParts['options']): CallerOptions {
  return { ...(approver && { approver }), ...(wait !== undefined && { wait }) }
}

interface SettledParts extends Pick<HomeParts, 'user'> {
  readonly rules: RuleBook
  readonly project: Project
  /** False where the tools of folders are not loaded. */
  readonly hasTools: boolean
  onNotice(notice: string): void
}

/** Adds the rules of the settings and tries their examples; closes the host if they are invalid. */
async function settleAll(
  { host, closeParts }: OpenedHost,
  { rules, project, user, hasTools, onNotice }: SettledParts,
): Promise<void> {
  try {
    // An example may name a tool of a folder.
    const testRule = hasTools ? host.testRule : async () => []
    if (user) await settleRules(rules, { file: user, layer: 'user', rules: settledRules(user.given) }, testRule)
    await settleRules(rules, project, testRule)
    for (const notice of findNotices(user, project)) onNotice(notice)
  } catch (error) {
    await closeParts()
    throw error
  }
}

/** What in the settings may mean something else than it seems. */
function findNotices(user: HomeParts['user'], project: Project): readonly string[] {
  const own = user ? noteNarrowRules(user.path, settledRules(user.given)) : []
  return [...own, ...noteNarrowRules(project.file.path, project.rules)]
}

function warnOfNotice(notice: string): void {
  process.emitWarning(notice, 'HaftSettingsWarning')
}

/** Combines the parts of a workspace with those that its home shares. */
function joinParts(
  { storage, grants, masker, expireMinutes, bus }: HomeParts,
  own: Pick<Parts, 'workspace' | 'judge' | 'files' | 'agents'> & { readonly sandbox: Sandbox },
): { readonly parts: Parts; onDelegate(handler: DelegateHandler): () => void } {
  const { emit, notify } = bus
  const apps = new Set<DelegateHandler>()
  const background = new BackgroundCalls(followCancels(storage.log))
  const tasks = createTasks({ log: storage.log, background, emit })
  const delegate = createDelegate(apps)
  return {
    parts: {
      ...own,
      storage,
      grants,
      masker,
      expireMinutes,
      delegate,
      background,
      tasks,
      emit,
      notify,
      sessions: new Set(),
    },
    onDelegate(handler) {
      apps.add(handler)
      return () => apps.delete(handler)
    },
  }
}
