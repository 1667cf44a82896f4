import type { Rule } from '../core/rule.ts'
import { type Check, later, list, named, patterns, port, positive, table, text, word } from './check-value.ts'
import { checkFilter, checkRule, type ToolFilter } from './rule-settings.ts'

/** What the user has settled; every member has a default. */
export interface Settings {
  /** What a commit of the log survives: the end of the process, or of the machine. */
  readonly durable: 'process' | 'machine'
  readonly log: LogSettings
  readonly approvals: ApprovalSettings
  readonly server: ServerSettings
}

/** Where Haft's own server listens; no tool may reach it. */
export interface ServerSettings {
  readonly port: number
}

/** How questions wait. */
export interface ApprovalSettings {
  /** A question that nobody has answered by then is denied. */
  readonly expireMinutes: number
}

/** How long and how much the log keeps, and what it masks beyond the known looks of secrets. */
export interface LogSettings {
  /** Sessions that were not used for so many days are removed. */
  readonly keepDays: number
  /** The oldest sessions are removed while the log is larger than this. */
  readonly maxMb: number
  /** The largest content that is kept for undo. */
  readonly maxContentMb: number
  readonly secrets: readonly RegExp[]
}

/** What holds where nothing is settled. */
export const DEFAULT_SETTINGS: Settings = {
  durable: 'process',
  log: { keepDays: 90, maxMb: 2_000, maxContentMb: 50, secrets: [] },
  approvals: { expireMinutes: 24 * 60 },
  server: { port: 4242 },
}

/** Settings as a file gives them: any part may be missing. */
export interface GivenSettings {
  readonly durable: Settings['durable']
  readonly log: Partial<LogSettings>
  readonly approvals: Partial<ApprovalSettings>
  readonly server: Partial<ServerSettings>
  /** Whether commands are shut in. */
  readonly sandbox: 'on' | 'off'
  /** Hosts that commands may reach; not yet. */
  readonly network: never
  /** Folders with tools, beside the usual ones; `~` is the home folder. */
  readonly toolsDirs: readonly string[]
  /** The interpreter for Python tools, or a virtual environment. */
  readonly python: string
  readonly rules: readonly Rule[]
  /** By the name of the tool. */
  readonly tools: Readonly<Record<string, Partial<ToolFilter>>>
}

/** Every key of a settings file; a new one is a new row. */
export const checkSettings: Check<Partial<GivenSettings>> = table<GivenSettings>({
  durable: { key: 'durable', check: word('process', 'machine') },
  log: {
    key: 'log',
    check: table<LogSettings>({
      keepDays: { key: 'keep_days', check: positive },
      maxMb: { key: 'max_mb', check: positive },
      maxContentMb: { key: 'max_content_mb', check: positive },
      secrets: { key: 'secrets', check: patterns },
    }),
  },
  approvals: {
    key: 'approvals',
    check: table<ApprovalSettings>({ expireMinutes: { key: 'expire_minutes', check: positive } }),
  },
  server: { key: 'server', check: table<ServerSettings>({ port: { key: 'port', check: port } }) },
  sandbox: { key: 'sandbox', check: word('on', 'off') },
  network: { key: 'network', check: later('opening hosts for commands comes with the web tools; the network is off') },
  toolsDirs: { key: 'tools_dirs', check: list(text) },
  python: { key: 'python', check: text },
  rules: { key: 'rules', check: list(checkRule) },
  tools: { key: 'tools', check: named(checkFilter) },
})

/** The settings that hold when these layers are laid over the defaults, each over the one before. */
export function layerSettings(...layers: readonly Partial<GivenSettings>[]): Settings {
  return layers.reduce<Settings>(
    (below, above) => ({
      durable: above.durable ?? below.durable,
      log: { ...below.log, ...above.log },
      approvals: { ...below.approvals, ...above.approvals },
      server: { ...below.server, ...above.server },
    }),
    DEFAULT_SETTINGS,
  )
}
