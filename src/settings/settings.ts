import type { ModelSettings } from '../core/model-settings.ts'
import type { Rule } from '../core/rules/rule.ts'
import { DEFAULT_MODE, MODES, type Mode } from '../core/session/mode.ts'
import { type Check, list, named, notYet, patterns, port, positive, table, text, word } from './check-value.ts'
import { checkModels } from './model-settings.ts'
import { checkFilter, checkRule, type ToolFilter } from './rule-settings.ts'

/** The user's settings; every member has a default. */
export interface Settings {
  /** What a committed log entry survives: a crash of the process, or of the machine. */
  readonly durable: 'process' | 'machine'
  /** The mode of sessions and calls that name none. */
  readonly mode: Mode
  readonly log: LogSettings
  readonly approvals: ApprovalSettings
  readonly server: ServerSettings
  /** The model that is used where nobody names another. */
  readonly model?: string
  /** Models that the person has described, by name. */
  readonly models: Readonly<Record<string, ModelSettings>>
}

/** The port of Haft's own server; no tool may connect to it. */
export interface ServerSettings {
  readonly port: number
}

/** How long approval requests wait. */
export interface ApprovalSettings {
  /** The time after which an unanswered approval request is denied. */
  readonly expireMinutes: number
}

/** How long and how much the log keeps, and what it masks in addition to known secrets. */
export interface LogSettings {
  /** The number of days after which unused sessions are removed. */
  readonly keepDays: number
  /** The size of the log above which the oldest sessions are removed. */
  readonly maxMb: number
  /** The largest file kept for undo. */
  readonly maxContentMb: number
  readonly secrets: readonly RegExp[]
}

/** The defaults. */
export const DEFAULT_SETTINGS: Settings = {
  durable: 'process',
  mode: DEFAULT_MODE,
  log: { keepDays: 90, maxMb: 2_000, maxContentMb: 50, secrets: [] },
  approvals: { expireMinutes: 24 * 60 },
  server: { port: 4242 },
  models: {},
}

/** The content of a settings file; any part may be missing. */
export interface GivenSettings {
  readonly durable: Settings['durable']
  readonly mode: Mode
  readonly log: Partial<LogSettings>
  readonly approvals: Partial<ApprovalSettings>
  readonly server: Partial<ServerSettings>
  readonly model: string
  readonly models: Readonly<Record<string, ModelSettings>>
  /** Whether commands run in a sandbox. */
  readonly sandbox: 'on' | 'off'
  /** Hosts that commands may reach; not supported yet. */
  readonly network: never
  /** Folders with tools, beside the usual ones; `~` is the home folder. */
  readonly toolsDirs: readonly string[]
  /** The interpreter for Python tools, or a virtual environment. */
  readonly python: string
  readonly rules: readonly Rule[]
  /** Filters by tool name. */
  readonly tools: Readonly<Record<string, Partial<ToolFilter>>>
}

/** All keys of a settings file. */
export const checkSettings: Check<Partial<GivenSettings>> = table<GivenSettings>({
  durable: { key: 'durable', check: word('process', 'machine') },
  mode: { key: 'mode', check: word(...MODES) },
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
  model: { key: 'model', check: text },
  models: { key: 'models', check: checkModels },
  sandbox: { key: 'sandbox', check: word('on', 'off') },
  network: {
    key: 'network',
    check: notYet('not supported yet: commands have no network access until the web tools are built'),
  },
  toolsDirs: { key: 'tools_dirs', check: list(text) },
  python: { key: 'python', check: text },
  rules: { key: 'rules', check: list(checkRule) },
  tools: { key: 'tools', check: named(checkFilter) },
})

/** Merges layers over the defaults; later layers take precedence. */
export function layerSettings(...layers: readonly Partial<GivenSettings>[]): Settings {
  return layers.reduce<Settings>(
    (below, above) => ({
      durable: above.durable ?? below.durable,
      mode: above.mode ?? below.mode,
      log: { ...below.log, ...above.log },
      approvals: { ...below.approvals, ...above.approvals },
      server: { ...below.server, ...above.server },
      ...withModel(above.model ?? below.model),
      models: { ...below.models, ...above.models },
    }),
    DEFAULT_SETTINGS,
  )
}

function withModel(model: string | undefined): Pick<Settings, 'model'> {
  return model === undefined ? {} : { model }
}
