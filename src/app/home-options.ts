import type { Approver } from '../core/approval/approval.ts'
import type { Log } from '../core/ports/log.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { ToolSource } from '../core/ports/tool-source.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { ConfirmWorkspace } from './workspace.ts'

/** What a home is made of; everything may be left out. */
export interface HomeOptions {
  /** Haft's own folder, with settings and log; without it there are neither, and `~/.haft` only holds what commands change while they run. */
  readonly home?: string
  /** Where everything is kept; when left out, the log in `home`, or memory. One that is given is not closed. */
  readonly storage?: Storage | 'memory'
  /** Tools of the program's own, beside the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Where further tools come from; they are loaded again when they say that they changed. */
  readonly sources?: readonly ToolSource[]
  /** Rules of the program's own; they count as the user's. */
  readonly rules?: readonly Rule[]
  /** Who is asked where neither call nor session names anybody; nobody when left out. */
  readonly approver?: Approver
  /** With nobody to ask, calls wait for an answer from another interface, `home.approvals` among them. */
  readonly wait?: boolean
  /** The mode of calls and sessions that name none; when left out, that of the settings. */
  readonly mode?: Mode
  /** Where commands run: the system's sandbox when left out; `off` runs them bare and is for the user's own settings. One that is given is not closed. */
  readonly sandbox?: 'off' | Sandbox
  /** Says whether a workspace that is the machine, or contains the home folder or Haft's own, is meant; it is refused when left out. */
  confirmWorkspace?: ConfirmWorkspace
  /** Hears at the start what in the settings may mean something else than it seems; a warning of the process when left out. */
  onNotice?(notice: string): void
  /** Hears why the log cannot be written, and undefined when it can be again; a warning of the process when left out. */
  onProblem?(problem: string | undefined): void
}

/** The log, to look at. */
export type LogReader = Omit<Log, 'append' | 'flush'>
