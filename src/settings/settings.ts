import type { McpServerSettings } from '../core/mcp/mcp-settings.ts'
import type { ModelSettings } from '../core/model-settings.ts'
import type { Rule } from '../core/rules/rule.ts'
import { DEFAULT_MODE, MODES, type Mode } from '../core/session/mode.ts'
import { isRecord } from '../core/text/json.ts'
import {
  type Check,
  count,
  list,
  misplaced,
  named,
  patterns,
  port,
  positive,
  publicUrl,
  table,
  text,
  webHost,
  word,
} from './check-value.ts'
import { checkMcpServers } from './mcp-settings.ts'
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
  readonly commands: CommandSettings
  readonly run: RunSettings
  readonly code: CodeSettings
  readonly server: ServerSettings
  readonly web: WebSettings
  /** Hosts that commands may reach. */
  readonly network: readonly string[]
  /** The model that is used where nobody names another. */
  readonly model?: string
  /** Models that the person has described, by name. */
  readonly models: Readonly<Record<string, ModelSettings>>
  /** MCP servers, by name. */
  readonly mcp: Readonly<Record<string, McpServerSettings>>
}

/** The port of Haft's own server; no tool may connect to it. */
export interface ServerSettings {
  readonly port: number
  /** The address under which a reverse proxy passes requests on, `https://haft.example.com`. */
  readonly publicUrl?: string
}

/** What the web tools may reach, and how they search. */
export interface WebSettings {
  /** Hosts that `web_fetch` reads without asking. */
  readonly allow: readonly string[]
  /** The search service: `searxng:ADDRESS`, `brave` or `tavily`. */
  readonly search?: string
}

/** Whether commands run in a sandbox, and the hosts that they may reach. */
export interface SandboxSettings {
  readonly use?: 'on' | 'off'
  readonly network?: readonly string[]
}

/** How long approval requests wait. */
export interface ApprovalSettings {
  /** The time after which an unanswered approval request is denied. */
  readonly expireMinutes: number
}

/** The limits of commands. */
export interface CommandSettings {
  /** The most that one command may write to the workspace, in all its files together. */
  readonly maxWrittenMb: number
  /** The most files and folders that one command may write or delete. */
  readonly maxWrittenFiles: number
}

/** The limits of runs. */
export interface RunSettings {
  /** The replies of the model after which a run is cut off. */
  readonly maxSteps: number
}

/** How code is checked and searched. */
export interface CodeSettings {
  /** Whether an edit is followed by the project's own checkers, which report new problems of the file. */
  readonly problems: 'on' | 'off'
  /** The model that `search_code` ranks by besides words: `ollama:NAME` or `openai:NAME`. */
  readonly embeddings?: string
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
  commands: { maxWrittenMb: 5_000, maxWrittenFiles: 200_000 },
  run: { maxSteps: 50 },
  code: { problems: 'on' },
  server: { port: 4242 },
  web: { allow: [] },
  network: [],
  models: {},
  mcp: {},
}

/** The content of a settings file; any part may be missing. */
export interface GivenSettings {
  readonly durable: Settings['durable']
  readonly mode: Mode
  readonly log: Partial<LogSettings>
  readonly approvals: Partial<ApprovalSettings>
  readonly commands: Partial<CommandSettings>
  readonly run: Partial<RunSettings>
  readonly code: Partial<CodeSettings>
  readonly server: Partial<ServerSettings>
  readonly model: string
  readonly models: Readonly<Record<string, ModelSettings>>
  readonly mcp: Readonly<Record<string, McpServerSettings>>
  readonly web: Partial<WebSettings>
  readonly sandbox: SandboxSettings
  /** Belongs into the table of the sandbox. */
  readonly network: never
  /** Folders with tools, beside the usual ones; `~` is the home folder. */
  readonly toolsDirs: readonly string[]
  /** The interpreter for Python tools, or a virtual environment. */
  readonly python: string
  readonly rules: readonly Rule[]
  /** Filters by tool name. */
  readonly tools: Readonly<Record<string, Partial<ToolFilter>>>
}

const sandboxTable = table<Required<SandboxSettings>>({
  use: { key: 'use', check: word('on', 'off') },
  network: { key: 'network', check: list(webHost) },
})

/** `sandbox` is a word or a table. */
function checkSandbox(...[value, path, report]: Parameters<Check<unknown>>): SandboxSettings | undefined {
  if (typeof value === 'object') return sandboxTable(value, path, report)
  const use = word('on', 'off')(value, path, report)
  return use === undefined ? undefined : { use }
}

/** The services are named here again, since the part that speaks with them is loaded only for a search. */
function checkSearch(...[value, path, report]: Parameters<Check<string>>): string | undefined {
  const given = text(value, path, report)
  if (given === undefined || /^(searxng:|(brave|tavily)(:|$))/.test(given)) return given
  report({ path, message: `expected "searxng:http://127.0.0.1:8888", "brave" or "tavily", not "${given}"` })
  return undefined
}

/** The kinds of servers are named here again, since the part that speaks with them is loaded only for a search. */
function checkEmbeddings(...[value, path, report]: Parameters<Check<string>>): string | undefined {
  const given = text(value, path, report)
  if (given === undefined || /^(ollama|openai):./.test(given)) return given
  report({ path, message: `expected "ollama:NAME" or "openai:NAME", not "${given}"` })
  return undefined
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
  commands: {
    key: 'commands',
    check: table<CommandSettings>({
      maxWrittenMb: { key: 'max_written_mb', check: positive },
      maxWrittenFiles: { key: 'max_written_files', check: count },
    }),
  },
  run: { key: 'run', check: table<RunSettings>({ maxSteps: { key: 'max_steps', check: count } }) },
  code: {
    key: 'code',
    check: table<CodeSettings>({
      problems: { key: 'problems', check: word('on', 'off') },
      embeddings: { key: 'embeddings', check: checkEmbeddings },
    }),
  },
  server: {
    key: 'server',
    check: table<Required<ServerSettings>>({
      port: { key: 'port', check: port },
      publicUrl: { key: 'public_url', check: publicUrl },
    }),
  },
  model: { key: 'model', check: text },
  models: { key: 'models', check: checkModels },
  mcp: { key: 'mcp', check: checkMcpServers },
  web: {
    key: 'web',
    check: table<WebSettings>({
      allow: { key: 'allow', check: list(webHost) },
      search: { key: 'search', check: checkSearch },
    }),
  },
  sandbox: { key: 'sandbox', check: checkSandbox },
  network: {
    key: 'network',
    check: misplaced('it belongs in its own table: [sandbox] network = ["example.com"]'),
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
      commands: { ...below.commands, ...above.commands },
      run: { ...below.run, ...above.run },
      code: { ...below.code, ...above.code },
      server: { ...below.server, ...above.server },
      web: { ...below.web, ...above.web },
      network: above.sandbox?.network ?? below.network,
      ...withModel(above.model ?? below.model),
      models: { ...below.models, ...above.models },
      mcp: { ...below.mcp, ...above.mcp },
    }),
    DEFAULT_SETTINGS,
  )
}

/** Merges what two files give: tables by key, lists of rules and folders one after the other, other values from the one above. */
export function mergeGiven(below: Partial<GivenSettings>, above: Partial<GivenSettings>): Partial<GivenSettings> {
  const one: Readonly<Record<string, unknown>> = below
  const other: Readonly<Record<string, unknown>> = above
  return Object.fromEntries(Object.keys({ ...one, ...other }).map((key) => [key, mergeValue(one[key], other[key])]))
}

function mergeValue(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  return isRecord(one) && isRecord(other) ? { ...one, ...other } : (other ?? one)
}

function withModel(model: string | undefined): Pick<Settings, 'model'> {
  return model === undefined ? {} : { model }
}
