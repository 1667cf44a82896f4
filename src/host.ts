import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Approvals, Reply } from './core/approvals.ts'
import type { CheckReport } from './core/check-report.ts'
import type { EventBody, Listener } from './core/event.ts'
import { messageOf, type Result } from './core/result.ts'
import type { Rule } from './core/rule.ts'
import type { Sandbox, SandboxFinding } from './core/sandbox.ts'
import type { Snapshot } from './core/snapshot.ts'
import type { Store } from './core/store.ts'
import type { Tool } from './core/tool.ts'
import { checkCall } from './pipeline/check-call.ts'
import { type Parts, type Request, runCall } from './pipeline/run-call.ts'
import { createStop, type Stop } from './pipeline/stop.ts'
import { loadToolFolder } from './registry/load-folder.ts'
import { createRegistry, type Registry } from './registry/registry.ts'
import { createRuleBook, type RuleBook } from './rules/rule-book.ts'
import { createFiles } from './sandbox/files.ts'
import { createLazySandbox } from './sandbox/lazy.ts'
import { listRunsFolders } from './sandbox/overlay/run-folder.ts'
import { createMemoryStore } from './store/memory.ts'

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
  readonly store?: Store
  /** Where commands run: the system's sandbox when left out; `off` runs them bare and is for the user's own settings. */
  readonly sandbox?: 'off' | Sandbox
}

/** How one call is made. */
export interface CallOptions {
  /** Answers the question, should one be asked; never beats a deny. */
  readonly decision?: 'allow' | 'deny' | Reply
  readonly session?: string
  readonly signal?: AbortSignal
  /** Seconds the tool may run, in place of its own limit. */
  readonly timeout?: number
  /** The tools of a session under way, where they are not the present ones. */
  readonly snapshot?: Snapshot
}

/** All parts together: one tool system for one workspace. */
export interface Host {
  readonly workspace: string
  readonly registry: Registry
  /** Tries each promise of the sandbox and says what holds on this machine. */
  examineSandbox(): Promise<readonly SandboxFinding[]>
  /** One call through the corridor; never throws and never rejects. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<Result>
  /** Everything before the line, nothing after it. */
  check(name: string, args?: unknown, options?: CallOptions): Promise<CheckReport>
  /** Adds a rule to this host alone, in the user's layer. */
  addRule(rule: Rule): void
  /** Hears of every event from now on; returns how to stop. */
  on(listener: Listener): () => void
  /** The kept events, of one session or of all. */
  events(session?: string): ReturnType<Store['events']>
  /** Cancels what runs, waits for it to end, and closes the store. Calls after it are refused. */
  close(): Promise<void>
}

/** Puts the parts together. Throws where the workspace is no folder, a name is taken or a rule is wrong. */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const workspace = findWorkspace(options.workspace ?? process.cwd())
  const registry = createRegistry()
  registry.addLoaded(await loadToolFolder(join(import.meta.dirname, 'tools')), 'built-in')
  for (const tool of options.tools ?? []) registry.register(tool)
  const rules = createRuleBook(workspace)
  for (const rule of options.rules ?? []) rules.add(rule, 'user')
  await recoverChanges(workspace)
  const store = options.store ?? createMemoryStore()
  const sandbox = findSandbox(options.sandbox, workspace, store)
  return assemble({ workspace, registry, rules, approvals: options.approvals, store, sandbox })
}

/** Haft's own folder. */
function findHome(): string {
  return process.env.HAFT_HOME ?? join(homedir(), '.haft')
}

/** Changes of a command that a dead process was applying are brought to an end before any call. */
async function recoverChanges(workspace: string): Promise<void> {
  const left = listRunsFolders(findHome(), workspace).filter((runs) => existsSync(runs))
  if (left.length === 0) return
  const { recoverRuns } = await import('./sandbox/overlay/recover.ts')
  for (const runs of left) recoverRuns(runs)
}

/** The sandbox that was given, or the system's own; loaded at its first use. */
function findSandbox(given: HostOptions['sandbox'], workspace: string, store: Store): Sandbox {
  if (typeof given === 'object') return given
  return createLazySandbox(async () => {
    const { chooseSandbox } = await import('./sandbox/choose.ts')
    return chooseSandbox({
      workspace,
      off: given === 'off',
      env: process.env,
      home: findHome(),
      replaced: store.keepReplaced,
    })
  })
}

interface Assembly {
  readonly workspace: string
  readonly registry: Registry
  readonly rules: RuleBook
  readonly approvals: Approvals | undefined
  readonly store: Store
  readonly sandbox: Sandbox
}

function assemble({ workspace, registry, rules, approvals, store, sandbox }: Assembly): Host {
  const listeners = new Set<Listener>()
  const running = new Map<Stop, Promise<Result>>()
  const files = createFiles({ workspace, replaced: store.keepReplaced })
  const parts: Parts = { workspace, judge: rules, store, files, sandbox, emit: emitter(store, listeners) }
  const ids = createIds()
  let closed = false

  const requestOf = (name: string, args: unknown, given: CallOptions): Request => ({
    id: ids.next(),
    session: given.session ?? ids.session,
    name,
    arguments: args,
    snapshot: given.snapshot ?? registry.snapshot(),
    decision: replyOf(given.decision),
    approvals,
    stop: createStop(),
    timeout: given.timeout,
  })

  return {
    workspace,
    registry,
    examineSandbox: () => sandbox.examine(),
    call(name, args, given = {}) {
      const request = requestOf(name, args, given)
      const { stop } = request
      if (closed) stop.cancel()
      if (given.signal?.aborted) stop.cancel()
      else given.signal?.addEventListener('abort', stop.cancel, { once: true })
      const call = runCall(request, parts).finally(() => {
        running.delete(stop)
        given.signal?.removeEventListener('abort', stop.cancel)
      })
      running.set(stop, call)
      return call
    },
    check: (name, args, given = {}) => checkCall(requestOf(name, args, given), parts),
    addRule: (rule) => rules.add(rule, 'user'),
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    events: (session) => store.events(session),
    async close() {
      closed = true
      for (const stop of running.keys()) stop.cancel()
      await Promise.all(running.values())
      await sandbox.close()
      store.close()
    },
  }
}

function replyOf(decision: CallOptions['decision']): Reply | undefined {
  if (decision === 'allow') return { approved: true }
  return decision === 'deny' ? { approved: false } : decision
}

/** Appends and tells; a listener that throws is warned about and harms nobody. */
function emitter(store: Store, listeners: ReadonlySet<Listener>): (body: EventBody) => void {
  return (body) => {
    const event = store.append(body)
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (thrown) {
        process.emitWarning(`a listener failed on ${event.type}: ${messageOf(thrown)}`, 'HaftListenerWarning')
      }
    }
  }
}

/** Ids that no other process makes: a random part of this host's, and a count. */
function createIds(): { readonly session: string; next(): string } {
  const mine = randomBytes(5).toString('hex')
  let count = 0
  return { session: `s_${mine}`, next: () => `c_${mine}_${++count}` }
}

function findWorkspace(given: string): string {
  const path = resolve(given)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`the workspace ${path} is no folder; expected an existing folder`)
  }
  return realpathSync(path)
}
