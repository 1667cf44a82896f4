import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ApprovalDesk } from './core/approval-desk.ts'
import type { Approvals, Reply } from './core/approvals.ts'
import type { CheckReport } from './core/check-report.ts'
import type { DelegateHandler } from './core/delegate.ts'
import type { Listener } from './core/event.ts'
import type { FilesDoor, Replaced } from './core/files.ts'
import type { Result } from './core/result.ts'
import type { Rule, RuleInForce } from './core/rule.ts'
import type { Sandbox, SandboxFinding } from './core/sandbox.ts'
import type { Snapshot } from './core/snapshot.ts'
import type { Store } from './core/store.ts'
import type { Tasks } from './core/task.ts'
import type { Tool } from './core/tool.ts'
import type { LastChange } from './core/undo-store.ts'
import { createCallIds } from './house/call-ids.ts'
import { checkToolNames } from './house/check-tool-names.ts'
import { closeParts } from './house/close-parts.ts'
import { openCorridor } from './house/open-corridor.ts'
import { openDesk } from './house/open-desk.ts'
import { ASK_WITHOUT_SANDBOX, openSandbox, recoverChanges } from './house/open-sandbox.ts'
import { openStore } from './house/open-store.ts'
import { openUndo } from './house/open-undo.ts'
import { settleRules } from './house/settle-rules.ts'
import { findWorkspace, homeOf } from './house/workspace.ts'
import { createApprovalDesk, type DeskParts } from './pipeline/approval-desk.ts'
import { digestCall } from './pipeline/call-digest.ts'
import { checkCall } from './pipeline/check-call.ts'
import type { Desk } from './pipeline/give-answer.ts'
import { type LaneCall, Lanes } from './pipeline/lanes.ts'
import { hasEffect } from './pipeline/ledger.ts'
import { refuseClosed, reportClosed } from './pipeline/refuse-closed.ts'
import type { Parts, Request } from './pipeline/request.ts'
import { resumeCall } from './pipeline/resume-call.ts'
import { runCall } from './pipeline/run-call.ts'
import { RunningCalls } from './pipeline/running-calls.ts'
import { Stop } from './pipeline/stop.ts'
import { type ExampleReport, testExamples } from './pipeline/test-example.ts'
import { loadToolFolder } from './registry/load-folder.ts'
import { createRegistry, type Registry } from './registry/registry.ts'
import { createRuleBook, type RuleBook } from './rules/rule-book.ts'
import { createFiles } from './sandbox/files.ts'
import { type Project, readProject } from './settings/project.ts'
import { readSettings } from './settings/read-settings.ts'
import { layerSettings } from './settings/settings.ts'
import { settledRules } from './settings/settled-rules.ts'
import { openTrust, type Trust } from './settings/trust.ts'
import { UNDO } from './undo/undo-tool.ts'

/** What a host is made of; everything may be left out. */
export interface HostOptions {
  /** The folder calls work in; the current one when left out. */
  readonly workspace?: string
  /** Tools of the program's own, beside the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Rules of the program's own; they count as the user's. */
  readonly rules?: readonly Rule[]
  /** Who is asked; nobody when left out. */
  readonly approvals?: Approvals
  /** With nobody to ask here, calls wait for an answer from another door, `host.approvals` among them. */
  readonly wait?: boolean
  /** The folder of the settings and the log; without it there are neither, and `~/.haft` only holds what commands change while they run. */
  readonly home?: string
  /** Where events lie; when left out, the log in `home`, or memory. */
  readonly store?: Store | 'memory'
  /** Where commands run: the system's sandbox when left out; `off` runs them bare and is for the user's own settings. */
  readonly sandbox?: 'off' | Sandbox
  /** Says whether a workspace that is the machine, or holds the home folder or Haft's own, is meant; it is refused when left out. */
  confirmWorkspace?(reason: string): boolean | Promise<boolean>
  /** Hears why the log cannot be written, and undefined when it can be again; a warning of the process when left out. */
  onTrouble?(trouble: string | undefined): void
}

/** How one call is made. */
export interface CallOptions {
  /** Answers the question, should one be asked; never beats a deny. */
  readonly decision?: 'allow' | 'deny' | Reply
  /** Who decides that way, for the log; `program` when left out. */
  readonly by?: string
  /** Whose call it is: calls of one session keep their order, and only neighbours that change nothing run together; one made inside a running call of the session is part of that call. Without one it waits for nobody. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** Seconds the tool may run, in place of its own limit. */
  readonly timeout?: number
  /** The tools of a session under way, where they are not the present ones. */
  readonly snapshot?: Snapshot
}

/** How one call is checked. */
export interface CheckOptions extends CallOptions {
  /** Also runs it where nothing is applied, unless it is denied. */
  readonly rehearse?: boolean
}

/** All parts together: one tool system for one workspace. */
export interface Host {
  readonly workspace: string
  readonly registry: Registry
  /** Tries each promise of the sandbox and says what holds on this machine. */
  examineSandbox(): Promise<readonly SandboxFinding[]>
  /** One call through the corridor; never throws and never rejects. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<Result>
  /** Everything before the line, nothing after it; never throws and never rejects. */
  check(name: string, args?: unknown, options?: CheckOptions): Promise<CheckReport>
  /** Adds a rule to this host alone, in the user's layer. */
  addRule(rule: Rule): void
  /** Every rule in force, the weakest layer first. */
  rules(): Promise<readonly RuleInForce[]>
  /** Tries the examples of a rule that is in force. */
  testRule(rule: RuleInForce): Promise<readonly ExampleReport[]>
  /** What the workspace's own settings ask for, and what of it counts. */
  readonly project: Project
  /** Records that a person has seen the project's settings and trusts this content; hosts made from then on do. */
  trustProject(): void
  /** The calls in the background, of every process that keeps its log in the same place. */
  readonly tasks: Tasks
  /** Lets the app open, show, close and tell what tools ask for; the first that answers does it. Returns how to stop. */
  onDelegate(handler: DelegateHandler): () => void
  /** The questions that wait, of every process that keeps its log in the same place, and what was granted. */
  readonly approvals: ApprovalDesk
  /** Hears of every event from now on; returns how to stop. */
  on(listener: Listener): () => void
  /** The kept events, of one session or of all. */
  events(session?: string): ReturnType<Store['events']>
  /** What was kept, to look at. */
  readonly log: Log
  /** The calls that undoing this call or session means, the newest first; without an id, the last one in this workspace that can be undone. */
  undoable(id?: string): readonly string[]
  /** The last change in this workspace that can be undone, and what was changed since and cannot be. */
  lastChange(): LastChange
  /** Puts back what these calls changed in files, as one call through the corridor; it asks, and can itself be undone. */
  undo(calls: readonly string[], options?: CallOptions & { readonly force?: boolean }): Promise<Result>
  /** Cancels what runs, waits for it to end, and closes what the host opened itself; a store or sandbox that it was handed stays open. Calls after it are refused. May be called twice. */
  close(): Promise<void>
}

/** The log, to look at. */
export type Log = Pick<Store, 'sessions' | 'calls' | 'events' | 'tail' | 'replacedBy' | 'changedCalls' | 'trouble'>

/** Puts the parts together. Throws where the workspace is no folder or too wide, a name is taken, a rule is wrong or settings are. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const { home, onTrouble = warnOfTrouble } = options
  const haftHome = homeOf(home)
  const workspace = await findWorkspace(options.workspace ?? process.cwd(), haftHome, options.confirmWorkspace)
  const user = home === undefined ? undefined : await readSettings(join(home, 'settings.toml'))
  const trust = openTrust(home)
  const project = await readProject(workspace, trust)
  const registry = await fillRegistry(options.tools)
  for (const file of [user, project.file]) await checkToolNames(file, registry.snapshot)
  const sandboxChoice = options.sandbox ?? user?.given.sandbox
  const settings = layerSettings(user?.given ?? {})
  const desk = openDesk(home, settings)
  const place = { workspace, cwd: workspace, home: homedir(), haftHome, haftPort: HAFT_PORT }
  const rules = createRuleBook(place, { grants: desk.grants, digestCall })
  if (sandboxChoice === 'off') rules.add(ASK_WITHOUT_SANDBOX, { layer: 'defaults', source: 'built-in' })
  for (const rule of options.rules ?? []) rules.add(rule, { layer: 'user', source: 'code' })
  await recoverChanges({ workspace, home: haftHome })
  const store = await openStore({ store: options.store, home, settings, onTrouble })
  const replaced = keeperOf(store, workspace)
  const keptLimit = settings.log.maxContentMb * 1_000_000
  const sandbox = openSandbox(sandboxChoice, { workspace, home: haftHome, env: process.env, keptLimit, replaced })
  const files = createFiles({ workspace, keptLimit, replaced })
  const host = assemble({ workspace, registry, rules, options, store, sandbox, files, desk, project, trust })
  try {
    if (user) await settleRules(rules, { file: user, layer: 'user', rules: settledRules(user.given) }, host.testRule)
    await settleRules(rules, project, host.testRule)
    return host
  } catch (error) {
    await host.close()
    throw error
  }
}

/** The port Haft's own server listens on, which no tool may reach. */
const HAFT_PORT = '4242'

async function fillRegistry(tools: readonly Tool[] = []): Promise<Registry> {
  const registry = createRegistry()
  registry.addLoaded(await loadToolFolder(join(import.meta.dirname, 'tools')), 'built-in')
  for (const tool of tools) registry.register(tool)
  return registry
}

/** Hands what a change replaces to the store, with the workspace it lies in. */
function keeperOf(store: Store, workspace: string): (record: Replaced) => void {
  return (record) => store.keepReplaced({ ...record, workspace })
}

function warnOfTrouble(trouble: string | undefined): void {
  if (trouble !== undefined) process.emitWarning(trouble, 'HaftLogWarning')
}

interface Assembly {
  readonly workspace: string
  readonly registry: Registry
  readonly rules: RuleBook
  readonly options: HostOptions
  readonly store: Store
  readonly sandbox: Sandbox
  readonly files: FilesDoor
  readonly desk: Desk
  readonly project: Project
  readonly trust: Trust
}

function assemble({ project, trust, rules, registry, options, ...built }: Assembly): Host {
  const { workspace, store, sandbox, desk } = built
  const running = new RunningCalls()
  const lanes = new Lanes()
  const { parts, on, onDelegate } = openCorridor({ ...built, judge: rules })
  const { background, tasks } = parts
  let closing: Promise<void> | undefined
  const ids = createCallIds()
  const undoing = openUndo(store, workspace)

  const requestOf = (name: string, args: unknown, given: CallOptions): Request => ({
    id: ids.next(),
    session: String(given.session ?? ids.session),
    name,
    arguments: args,
    snapshot: given.snapshot ?? registry.snapshot(),
    decision: replyOf(given.decision),
    decidedBy: given.by,
    approvals: options.approvals,
    wait: options.wait,
    stop: new Stop(),
    timeout: given.timeout,
  })

  /** A request that counts as under way until its stop is told to end, and heeds its caller's signal. */
  const begin = (name: string, args: unknown, given: CallOptions): Request => {
    const request = requestOf(name, args, given)
    running.enter(request.stop)
    if (given.signal) request.stop.follow(given.signal)
    return request
  }

  const call: Host['call'] = (name, args, given = {}) => {
    if (running.isClosed) return Promise.resolve(refuseClosed(`${name} was not run`))
    const request = begin(name, args, given)
    if (given.session === undefined) return runCall(request, parts)
    return lanes.run(laneCallOf(request), () => runCall(request, parts))
  }

  return {
    workspace,
    registry,
    examineSandbox: () => sandbox.examine(),
    call,
    check: async (name, args, given = {}) =>
      running.isClosed ? reportClosed() : checkCall(begin(name, args, given), parts, given.rehearse),
    addRule: (rule) => rules.add(rule, { layer: 'user', source: 'code' }),
    rules: () => rules.list(),
    testRule: (rule) => testExamples(rule, registry.snapshot(), parts),
    project,
    trustProject: () => trust.record(workspace, project.file.source ?? ''),
    tasks,
    onDelegate,
    approvals: createApprovalDesk({ ...parts, running, ...takingOver(parts, running, requestOf) }),
    on,
    events: (session) => store.events(session === undefined ? {} : { session }),
    log: store,
    undoable: undoing.undoable,
    lastChange: undoing.lastChange,
    undo: (calls, { force = false, ...given } = {}) =>
      call(UNDO, { calls: [...calls], ...(force && { force }) }, { ...given, snapshot: undoing.snapshot() }),
    close() {
      closing ??= Promise.all([running.close(), background.close()]).then(() =>
        closeParts({ sandbox, store, grants: desk.grants, handed: options }),
      )
      return closing
    },
  }
}

/** What the order of its session needs to know of a call; one whose tool is not there ends at once, so it may stand with reads. */
function laneCallOf({ session, name, snapshot, stop }: Request): LaneCall {
  const entry = snapshot.find(name)
  return { session, isRead: entry === undefined || !hasEffect(entry), stop }
}

/** How calls that another process began are brought to their end here. */
function takingOver(
  parts: Parts,
  running: RunningCalls,
  requestOf: (name: string, args: unknown, given: CallOptions) => Request,
): Pick<DeskParts, 'requestOf' | 'resume'> {
  return {
    requestOf: ({ question: { tool, session, call }, input }) => ({ ...requestOf(tool, input, { session }), id: call }),
    resume(record, request) {
      running.enter(request.stop)
      return resumeCall(record, request, parts)
    },
  }
}

function replyOf(decision: CallOptions['decision']): Reply | undefined {
  if (decision === 'allow') return { approved: true }
  return decision === 'deny' ? { approved: false } : decision
}
