import { homedir } from 'node:os'
import type { ApprovalQueue } from '../core/approval/approval-queue.ts'
import type { ApprovalRecord } from '../core/approval/approval-record.ts'
import type { CheckReport } from '../core/call/check-report.ts'
import type { Result } from '../core/call/result.ts'
import type { Tasks } from '../core/call/task.ts'
import type { PendingChanges, Sandbox, SandboxFinding } from '../core/ports/sandbox.ts'
import type { Rule, RuleInForce } from '../core/rules/rule.ts'
import type { Listener } from '../core/session/event.ts'
import type { DelegateHandler } from '../core/tool/delegate.ts'
import { createFiles } from '../files/files.ts'
import type { CallSite } from '../pipeline/approval-queue.ts'
import { digestCall } from '../pipeline/approve/call-digest.ts'
import { createDelegate } from '../pipeline/context/ask-app.ts'
import { type ExampleReport, testExamples } from '../pipeline/judge/test-example.ts'
import type { Parts } from '../pipeline/request.ts'
import { BackgroundCalls } from '../pipeline/tasks/background-calls.ts'
import { followCancels } from '../pipeline/tasks/follow-cancels.ts'
import { createTasks } from '../pipeline/tasks/task-log.ts'
import type { Registry } from '../registry/registry.ts'
import { createRuleBook, type RuleBook } from '../rules/rule-book.ts'
import { type Project, readProject } from '../settings/project.ts'
import { settledRules } from '../settings/settled-rules.ts'
import { type CallOptions, type CheckOptions, createCallStarter, type StartedCall } from './call-starter.ts'
import type { LogReader } from './home-options.ts'
import type { HomeParts } from './home-parts.ts'
import { checkToolNames } from './open/check-tool-names.ts'
import { ASK_LIVE, ASK_WITHOUT_SANDBOX, openSandbox, recoverChanges } from './open/open-sandbox.ts'
import { settleRules } from './open/settle-rules.ts'
import { openRegistry } from './open-registry.ts'
import { beginSession, type Session, type SessionOptions } from './session.ts'
import { createUndo, recoverUndos, type Undo } from './undo.ts'

/** One workspace: its tools, rules, sandbox and files. */
export interface Host extends Undo {
  readonly workspace: string
  readonly registry: Registry
  /** Tries each promise of the sandbox and reports what works on this machine. */
  examineSandbox(): Promise<readonly SandboxFinding[]>
  /** One call through the pipeline; never throws and never rejects. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<Result>
  /** The same, with the id of the call before its end. */
  start(name: string, args?: unknown, options?: CallOptions): StartedCall
  /** Everything before the commit point, nothing after it; never throws and never rejects. */
  check(name: string, args?: unknown, options?: CheckOptions): Promise<CheckReport>
  /** Begins a session in this workspace. */
  session(options?: SessionOptions): Promise<Session>
  /** Adds a rule to this host alone, in the user's layer. */
  addRule(rule: Rule): void
  /** Every rule in force, the weakest layer first. */
  rules(): Promise<readonly RuleInForce[]>
  /** Tries the examples of a rule that is in force. */
  testRule(rule: RuleInForce): Promise<readonly ExampleReport[]>
  /** What the workspace's own settings ask for, and what of it counts. */
  readonly project: Project
  /** Records that a person has seen the project's settings and trusts this content; hosts opened from then on do. */
  trustProject(): void
  /** Changes of commands that wait to be applied or discarded; undefined where commands change the workspace itself. */
  readonly pending: PendingChanges | undefined
  /** The calls in the background, of every process of this home. */
  readonly tasks: Tasks
  /** Lets the app open, show, close and report what tools ask for; the first that answers does it. Returns how to stop. */
  onDelegate(handler: DelegateHandler): () => void
  /** The requests that wait, of every process of this home, and what was granted. */
  readonly approvals: ApprovalQueue
  /** Hears of every event of this process from now on, of every host of this home; returns how to stop. */
  on(listener: Listener): () => void
  /** What was kept, to look at. */
  readonly log: LogReader
  /** Ends this use of the host. A host that nobody uses is closed later; closing its home cancels what runs. May be called twice. */
  close(): Promise<void>
}

/** A host that is open, with what only its home may do. */
export interface OpenedHost {
  readonly host: Omit<Host, 'close'>
  /** How many have opened it and not closed it. */
  users: number
  /** True while a call or task is under way. */
  readonly isBusy: boolean
  /** Where a call that waits for an answer can run; undefined where its tool is not here. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  /** Cancels what runs and closes what the host opened. May be called twice. */
  closeParts(): Promise<void>
}

/** What a host is given by its home. */
export interface HostPlace {
  readonly workspace: string
  readonly approvals: ApprovalQueue
}

/** Opens the host of a workspace. Throws where a name is taken, a rule is wrong or settings are. */
export async function openHost({ workspace, approvals }: HostPlace, home: HomeParts): Promise<OpenedHost> {
  const { options, storage, bus, ids, user, trust, settings, haftHome } = home
  const project = await readProject(workspace, trust)
  const { registry, close: closeRegistry } = await openRegistry(options)
  for (const file of [user, project.file]) await checkToolNames(file, registry.snapshot)
  const rules = openRules(workspace, home)
  const replaced = (record: Parameters<typeof storage.undo.keep>[0]) => storage.undo.keep({ ...record, workspace })
  const keptLimit = settings.log.maxContentMb * 1_000_000
  const replacedAll = (records: readonly Parameters<typeof replaced>[0][]) =>
    storage.undo.keepAll(records.map((record) => ({ ...record, workspace })))
  const place = { workspace, home: haftHome, env: process.env, keptLimit, replaced, replacedAll }
  await recoverChanges(place, storage.approvals)
  recoverUndos({ workspace, keptLimit, undo: storage.undo })
  const sandbox = openSandbox(options.sandbox ?? user?.given.sandbox, place)
  const files = createFiles({ workspace, keptLimit, replaced })
  const { parts, onDelegate } = joinParts(home, { workspace, judge: rules, sandbox, files })
  const { approver, wait } = options
  const defaults = { ...(approver && { approver }), ...(wait !== undefined && { wait }) }
  const starter = createCallStarter({ parts, ids, defaults, snapshot: () => registry.snapshot() })
  const start: Host['start'] = (name, args, given = {}) => starter.start(name, args, given)
  const host: Omit<Host, 'close'> = {
    workspace,
    registry,
    examineSandbox: () => sandbox.examine(),
    start,
    call: (name, args, given) => start(name, args, given).result,
    check: (name, args, given = {}) => starter.check(name, args, given),
    session: async (given) => beginSession(given, { host, ids, parts }),
    addRule: (rule) => rules.add(rule, { layer: 'user', source: 'code' }),
    rules: () => rules.list(),
    testRule: (rule) => testExamples(rule, registry.snapshot(), parts),
    project,
    trustProject: () => trust.record(workspace, project.file.source ?? ''),
    pending: sandbox.pending,
    tasks: parts.tasks,
    onDelegate,
    approvals,
    on: bus.on,
    log: storage.log,
    ...createUndo({ workspace, storage, start }),
  }
  const opened: OpenedHost = {
    host,
    users: 0,
    get isBusy() {
      return starter.isBusy || parts.background.isBusy
    },
    siteOf: starter.siteOf,
    async closeParts() {
      await Promise.all([starter.close(), parts.background.close()])
      await closeRegistry()
      if (options.sandbox !== sandbox) await sandbox.close()
    },
  }
  try {
    if (user) await settleRules(rules, { file: user, layer: 'user', rules: settledRules(user.given) }, host.testRule)
    await settleRules(rules, project, host.testRule)
    return opened
  } catch (error) {
    await opened.closeParts()
    throw error
  }
}

function openRules(workspace: string, { options, user, settings, grants, haftHome }: HomeParts): RuleBook {
  const place = { workspace, cwd: workspace, home: homedir(), haftHome, haftPort: String(settings.server.port) }
  const rules = createRuleBook(place, { grants, digestCall })
  rules.add(ASK_LIVE, { layer: 'defaults', source: 'built-in' })
  if ((options.sandbox ?? user?.given.sandbox) === 'off')
    rules.add(ASK_WITHOUT_SANDBOX, { layer: 'defaults', source: 'built-in' })
  for (const rule of options.rules ?? []) rules.add(rule, { layer: 'user', source: 'code' })
  return rules
}

/** Joins what a workspace has with what its home shares. */
function joinParts(
  { storage, grants, secrets, expireMinutes, bus }: HomeParts,
  own: Pick<Parts, 'workspace' | 'judge' | 'files'> & { readonly sandbox: Sandbox },
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
      secrets,
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
