import type { Approver } from '../core/approval/approval.ts'
import type { Log } from '../core/ports/log.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { ToolSource } from '../core/ports/tool-source.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import { nearest } from '../core/text/nearest.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { Network } from '../http/network.ts'
import type { ConfirmWorkspace } from './workspace.ts'

/** The options of a home; all are optional. */
export interface HomeOptions {
  /** Haft's own folder, with settings and log. When left out there are no settings but `settings`, and no stored log, and `~/.haft` only holds the overlays of running commands. */
  readonly home?: string
  /** Where everything is stored; when left out, the database in `home`, or memory without a home. A given storage is not closed with the home. */
  readonly storage?: Storage | 'memory'
  /** Settings with the keys of settings.toml, such as `{ web: { allow: ['example.com'] } }`. They count above the file of `home`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The program's own tools, in addition to the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Further sources of tools. A source is loaded again when it reports a change. */
  readonly sources?: readonly ToolSource[]
  /** False for a program that uses no tools, such as one that reads the log: the tools of folders are not loaded, and what settings say of tools is not checked. `later` opens a workspace before they are loaded; a call by the name of such a tool waits for it. */
  readonly toolFolders?: boolean | 'later'
  /** The program's own rules. They belong to the user's layer. */
  readonly rules?: readonly Rule[]
  /** The approver of calls whose call and session options name none; nobody when left out. */
  readonly approver?: Approver
  /** Without an approver, calls wait for an answer from another interface, such as `home.approvals`. */
  readonly wait?: boolean
  /** The mode of calls and sessions that name none; that of the settings when left out. */
  readonly mode?: Mode
  /** The port that this process serves on, where it is not that of the settings: no tool may connect to it. */
  readonly serverPort?: number
  /** Where commands run; the sandbox of the system when left out. `off` runs them without a sandbox and is meant for the user's own settings. A given sandbox is not closed with the home. */
  readonly sandbox?: 'off' | Sandbox
  /** How names are looked up and connections opened; this machine's own network when left out. Checks of hosts and addresses stay. */
  readonly network?: Network
  /** Confirms a workspace that is `/` or contains the home folder or Haft's own folder. Such a workspace is refused when this is left out. */
  confirmWorkspace?: ConfirmWorkspace
  /** Called at the start with what in the settings may mean something else than it seems, and where the log was damaged. When left out, it is a process warning. */
  onNotice?(notice: string): void
  /** Called with the reason when the log cannot be written, and with undefined when it can be again. When left out, the reason is a process warning. */
  onProblem?(problem: string | undefined): void
}

/** Read access to the log. */
export type LogReader = Omit<Log, 'append' | 'flush'>

/** The names of all options, so that a misspelt one is refused. */
const HOME_OPTIONS: Readonly<Record<keyof HomeOptions, true>> = {
  home: true,
  storage: true,
  settings: true,
  tools: true,
  sources: true,
  toolFolders: true,
  rules: true,
  approver: true,
  wait: true,
  mode: true,
  serverPort: true,
  sandbox: true,
  network: true,
  confirmWorkspace: true,
  onNotice: true,
  onProblem: true,
}

/** Throws where an option has a name that is none; `more` are further names that the caller takes. */
export function checkOptions(given: object, more: readonly string[] = []): void {
  const names = [...Object.keys(HOME_OPTIONS), ...more]
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const near = nearest(unknown, names)
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the options are ${names.join(', ')}`
  throw new Error(`unknown option ${JSON.stringify(unknown)}; ${hint}`)
}
