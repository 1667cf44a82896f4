import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Tasks } from '../core/call/task.ts'
import type { PendingChanges, SandboxFinding } from '../core/ports/sandbox.ts'
import type { Rule, RuleInForce } from '../core/rules/rule.ts'
import type { Listener } from '../core/session/event.ts'
import type { Mode } from '../core/session/mode.ts'
import type { DelegateHandler } from '../core/tool/delegate.ts'
import type { Skipped } from '../core/tool/snapshot.ts'
import type { CallSite } from '../pipeline/approval-queue.ts'
import { type ExampleReport, testExamples } from '../pipeline/judge/test-example.ts'
import type { Registry } from '../registry/registry.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { SeenProject } from '../settings/diff-project.ts'
import { type Project, readProject } from '../settings/project.ts'
import { type AgentParts, createAgentParts } from './agent/agent-parts.ts'
import { createAgents } from './agent/agents.ts'
import { type CallFunction, createCallFunction } from './calls/call-function.ts'
import {
  type CallerOptions,
  type CallOptions,
  type CheckOptions,
  createCallStarter,
  type ForegroundCall,
  type StartedCall,
} from './calls/call-starter.ts'
import { logPending } from './calls/pending.ts'
import type { LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import type { Models } from './models/models.ts'
import { joinParts } from './open/join-parts.ts'
import { settleAllRules } from './open/settle-rules.ts'
import { keptLimitOf, openWorkspace } from './open-workspace.ts'
import type { Finding } from './overview/examine.ts'
import { findFiles } from './overview/find-files.ts'
import type { OwnPlans, Plans } from './plans/plans.ts'
import type { ReplayOptions, ReplayParts, ReplayReport } from './replay.ts'
import {
  beginSession,
  inheritedMode,
  type OwnSessionOptions,
  type Session,
  type SessionOptions,
} from './sessions/session.ts'
import type { AllSessionTools } from './sessions/session-tools.ts'
import { createUndo, type Undo } from './undo.ts'

/** One workspace: its tools, rules, sandbox and files. */
export interface Host extends Undo {
  readonly workspace: string
  /** The mode of calls and sessions that name none. */
  readonly mode: Mode
  readonly registry: Registry
  /** Loads the tools of every source again, also where nothing seems to have changed; sessions under way keep theirs. */
  refreshTools(): Promise<void>
  /** Calls the listener with each tool file that is slow or broken, also with those that are so now. Returns a function that stops this. */
  onFileProblem(listener: (problem: Skipped) => void): () => void
  /** Starts the MCP server of a tool that is not there yet, and waits for it; does nothing for any other name. */
  prepareTool(name: string): Promise<void>
  /** Tries each promise of the sandbox and reports what works on this machine. */
  examineSandbox(): Promise<readonly SandboxFinding[]>
  /** Tries each part of the host and reports what works on this machine. */
  examine(): Promise<readonly Finding[]>
  /** Finds files of the workspace by letters of their path, the best match first; those that a rule denies to read are left out. */
  findFiles(query: string, signal?: AbortSignal): Promise<readonly string[]>
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
  /** Tests the examples of a rule that is not active, beside the rules of now. Rejects with ToolError where the rule is invalid. */
  tryRule(rule: Rule): Promise<readonly ExampleReport[]>
  /** The workspace's own settings, and which of them count. */
  readonly project: Project
  /** Reads the workspace's own settings and tools anew, and what of them differs from what a person trusted last, as a unified diff; all of it where nobody did. */
  lookAtProject(): Promise<SeenProject>
  /** Records that a person trusts the current content of the project's settings. Hosts opened from now on use them; `home.reopen` closes this one. */
  trustProject(): void
  /** Changes of commands that wait to be applied or discarded; undefined if commands change the workspace itself. */
  readonly pending: PendingChanges | undefined
  /** The background calls of all processes of this home. */
  readonly tasks: Tasks
  /** Adds a handler for requests of tools to the app: open, show, close, report. The first handler that answers counts. Returns a function that removes it. */
  onDelegate(handler: DelegateHandler): () => void
  /** The approval requests of all processes of this home, and the grants. */
  readonly approvals: ApprovalQueue
  /** How the plans of this home stand, and when they rest. */
  readonly plans: Pick<Plans, 'get' | 'rest'>
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
  /** Begins a session of Haft's own, with an id that is made beforehand. Throws if a selected tool does not exist. */
  begin(options: OwnSessionOptions): Session
  /** True while a call or task runs. */
  readonly isBusy: boolean
  /** Returns a call that runs here in the foreground; undefined for any other. */
  findCall(call: string): ForegroundCall | undefined
  /** Cancels a task of this host. False if it does not run here. */
  cancelTask(call: string): boolean
  /** Returns how to run a call that waits for an answer; undefined if this host does not have its tool. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  /** Replaces the default rules that a source has added, such as those of a plan. */
  replaceRules(given: readonly Rule[], source: string): void
  /** The tools of its sessions. */
  readonly sessions: AllSessionTools
  /** Waits for tools of these names while files are loading. */
  ready(names?: readonly string[]): Promise<void>
  /** Cancels what runs and closes what the host opened. May be called twice. */
  closeParts(): Promise<void>
}

/** What a home passes to a host. */
export interface HostOpening {
  readonly workspace: string
  readonly approvals: ApprovalQueue
  /** The plans of the home. */
  readonly plans: Pick<OwnPlans, 'checkProposed' | 'startProposed' | 'get' | 'rest'>
}

/** Opens the host of a workspace. Rejects if a tool name is taken, or a rule or the settings are invalid. */
export async function openHost({ workspace, approvals, plans }: HostOpening, home: HomeParts): Promise<OpenedHost> {
  const { options, storage, bus, ids, trust, live, user, haftHome } = home
  // A host opens with the settings of now.
  live.refresh()
  const project = await readProject(workspace, trust)
  const { closeRules, removed, tools, ...means } = await openWorkspace({ workspace, project }, home)
  const { judge: rules, sandbox } = means
  const { registry, sessions, refresh, prepareTool, onFileProblem } = tools
  const { parts, onDelegate } = joinParts(home, { workspace, ...means, plans, agents: (parent) => agents(parent) })
  const modeOf = () => options.mode ?? project.mode ?? live.now().mode
  const starter = createCallStarter({ parts, ids, tools, defaults: defaultsOf(options), mode: modeOf })
  const start: Host['start'] = (name, args, given = {}) => starter.start(name, args, given)
  const agent = createAgentParts(home, parts, starter)
  const begin = (given?: OwnSessionOptions, from = registry.snapshot()) =>
    beginSession(given, { host, agent, ids, parts, sessions, from })
  const agents = createAgents({ agent, begin })
  const host: Omit<Host, 'close'> = {
    get mode() {
      return modeOf()
    },
    ...{ workspace, registry, refreshTools: refresh, prepareTool, onFileProblem },
    examineSandbox: () => sandbox.examine(),
    examine: async () =>
      (await import('./overview/examine.ts')).examine({ ...host, haftHome, mcp: home.mcp, python: user?.given.python }),
    findFiles: (query, signal) =>
      findFiles(query, { files: means.files.looking(), denies: rules.deniesReading() }, signal),
    start,
    call: createCallFunction({ snapshot: () => registry.snapshot(), start }),
    check: (name, args, given = {}) => starter.check(name, args, given),
    session: async (given = {}) => {
      const [inherited] = await Promise.all([inheritedMode(given.parent, storage.log), tools.ready(given.tools)])
      return begin({ ...given, mode: given.mode ?? inherited ?? modeOf() })
    },
    addRule: (rule) => rules.add(rule, { layer: 'user', source: 'code' }),
    rules: (given = modeOf()) => rules.list(given),
    ...judgeAgain(() => ({ ...host, home, snapshot: () => registry.snapshot() })),
    testRule: (rule) => tools.ready(listExampleTools(rule)).then(() => testExamples(rule, registry.snapshot(), parts)),
    project,
    lookAtProject: async () => (await import('../settings/diff-project.ts')).lookAtProject(workspace, trust),
    trustProject: () => trust.record(workspace, project.content ?? ''),
    pending: sandbox.pending && logPending(sandbox.pending, { log: storage.log, emit: bus.emit, masker: home.masker }),
    ...{ tasks: parts.tasks, onDelegate, approvals, plans, models: home.models },
    on: bus.on,
    log: storage.log,
    ...createUndo({ workspace, storage, keptLimit: keptLimitOf(home), start, check: starter.check }),
  }
  const opened: OpenedHost = {
    host,
    agent,
    begin,
    get isBusy() {
      return starter.isBusy || parts.background.isBusy || agent.running.size > 0
    },
    ...{ siteOf: starter.siteOf, findCall: starter.find, cancelTask: (call) => parts.background.cancel(call) },
    replaceRules: (given, source) => void rules.replace(given, { layer: 'defaults', source }),
    sessions,
    ready: tools.ready,
    async closeParts() {
      agent.close()
      await Promise.all([starter.close(), parts.background.close()])
      await tools.close()
      closeRules()
      await removed()
      if (options.sandbox !== sandbox) await sandbox.close()
    },
  }
  await settleOrClose(opened, rules, home)
  return opened
}

/** The names of the tools in the examples of a rule. */
function listExampleTools({ rule }: RuleInForce): string[] {
  return Object.values(rule.examples ?? {}).flatMap((all) => all.map((one) => one.split(' ')[0] ?? ''))
}

/** What judges calls of the log, or examples of a rule that is proposed. Loaded at its first use. */
function judgeAgain(parts: () => ReplayParts): Pick<Host, 'replay' | 'tryRule'> {
  return {
    replay: async (given = {}) => (await import('./replay.ts')).replayLog(given, parts()),
    tryRule: async (rule) => (await import('./replay.ts')).testProposed(rule, parts()),
  }
}

/** Adds the rules of the settings. Closes the host if they are invalid. */
async function settleOrClose({ host, closeParts }: OpenedHost, rules: RuleBook, home: HomeParts): Promise<void> {
  const { user, options } = home
  const { toolFolders, onNotice = warnOfNotice } = options
  try {
    const settings = { user, project: host.project, hasTools: toolFolders !== false, onNotice }
    await settleAllRules(rules, settings, host.testRule)
  } catch (error) {
    await closeParts()
    throw error
  }
}

/** Who answers for calls that name nobody. */
function defaultsOf({ approver, wait }: HomeParts['options']): CallerOptions {
  return { ...(approver && { approver }), ...(wait !== undefined && { wait }) }
}

function warnOfNotice(notice: string): void {
  process.emitWarning(notice, 'HaftSettingsWarning')
}
