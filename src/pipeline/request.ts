import type { AgentsOf } from '../core/agents/agent-parent.ts'
import type { Approver, Reply } from '../core/approval/approval.ts'
import type { Grants } from '../core/approval/grant.ts'
import type { Tasks } from '../core/call/task.ts'
import type { TaskPorts } from '../core/network/task-ports.ts'
import type { ProposalsOf } from '../core/plans/proposal-parent.ts'
import type { CodeSearch } from '../core/ports/developer/code-search.ts'
import type { EditChecks } from '../core/ports/developer/edit-checks.ts'
import type { Machine } from '../core/ports/developer/machine.ts'
import type { GuardedFiles } from '../core/ports/files.ts'
import type { GuardedHttp } from '../core/ports/http.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { Judge } from '../core/rules/rule.ts'
import type { Masker } from '../core/secrets/masker.ts'
import type { Event, EventBody } from '../core/session/event.ts'
import type { Delegate, OpenEffect } from '../core/tool/delegate.ts'
import type { Snapshot } from '../core/tool/snapshot.ts'
import type { Proposal } from './parse/parse.ts'
import type { Stop } from './stopping/stop.ts'
import type { BackgroundCalls } from './tasks/background-calls.ts'
import type { Detach } from './tasks/start-task.ts'

/** The parts of a host that the stages use. */
export interface Parts {
  readonly workspace: string
  readonly judge: Judge
  readonly storage: Storage
  readonly files: GuardedFiles
  readonly sandbox: Sandbox
  readonly http: GuardedHttp
  /** What a few tools do outside the sandbox. */
  readonly machine: Machine
  /** Finds code by meaning. */
  readonly code: CodeSearch
  readonly editChecks: EditChecks
  /** Ports of tasks that are open on this machine. */
  readonly ports: TaskPorts
  /** The hosts of the settings: those of the web tools, and those of commands. */
  readonly hosts: { readonly web: readonly string[]; readonly commands: readonly string[] }
  readonly grants: Grants
  /** Finds secrets in what leaves the pipeline, and masks them. */
  readonly masker: Masker
  /** How long an approval request waits for its answer. */
  readonly expireMinutes: number
  /** Asks the app to open and show things; undefined if no app is to be asked. */
  readonly delegate: Delegate | undefined
  /** Names the program that the app of this process would open a file with. */
  opener(effect: OpenEffect): string | undefined
  readonly background: BackgroundCalls
  readonly tasks: Tasks
  readonly agents: AgentsOf
  readonly plans: ProposalsOf
  /** The sessions that are known to have begun. */
  readonly sessions: { has(session: string): boolean; add(session: string): void }
  /** Appends an event to the log and passes it to the listeners of this process. */
  emit(body: EventBody): void
  /** Passes an event that is already in the log to the listeners of this process. */
  notify(event: Event): void
}

/** A call as its caller makes it, and how its approval request is answered. */
export interface Request extends Proposal {
  readonly snapshot: Snapshot
  /** A preset answer. */
  readonly decision?: Reply | undefined
  /** Who gave the preset answer, for the log. */
  readonly decidedBy?: string | undefined
  /** The approver in this process. */
  readonly approver?: Approver | undefined
  /** Without an approver here, wait for an answer from another interface. */
  readonly wait?: boolean | undefined
  /** What the agent that makes the call works on, for whoever is asked. */
  readonly label?: string | undefined
  readonly stop: Stop
  /** Time limit in seconds, instead of the tool's own. */
  readonly timeout?: number | undefined
  /** Set for a call that runs in the background. */
  readonly task?: Detach | undefined
  /** Set for a call in the foreground that can go on in the background: lets its caller no longer wait. */
  readonly move?: (() => void) | undefined
}

/** Returns parts for a call that is only checked: nothing is logged and no app is asked. */
export function quietParts(parts: Parts): Parts {
  return { ...parts, delegate: undefined, emit: () => undefined, notify: () => undefined }
}

/** Returns parts for stages that are repeated: their events are already in the log. */
export function quietEmit(parts: Parts): Parts {
  return { ...parts, emit: () => undefined }
}
