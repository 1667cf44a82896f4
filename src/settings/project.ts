import { join } from 'node:path'
import type { Layer } from '../core/rule.ts'
import { type ProjectTools, readProjectTools } from './project-tools.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import type { SettledRule } from './rule-settings.ts'
import { settledRules } from './settled-rules.ts'
import type { Trust } from './trust.ts'

/** What a project asks for in its `.haft/settings.toml`, and what of it counts. */
export interface Project {
  readonly file: SettingsFile
  readonly isTrusted: boolean
  readonly layer: Layer
  readonly rules: readonly SettledRule[]
  /** What does not count: what is the user's alone, and all that loosens while the project is not trusted. */
  readonly ignored: readonly string[]
  /** The part of it that no trust makes count. */
  readonly usersOwn: readonly string[]
  /** Its own tools: trusted apart from the settings, by their content. */
  readonly tools: ProjectTools
}

/** What only a person settles, for all their projects: by its key in the file. */
const USERS_OWN: Readonly<Record<string, string>> = {
  approvals: 'approvals',
  durable: 'durable',
  log: 'log',
  sandbox: 'sandbox',
  server: 'server',
  toolsDirs: 'tools_dirs',
}

/** Reads a workspace's own settings. Until a person has trusted them, only what makes things stricter counts. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const tools = readProjectTools(workspace, trust)
  const usersOwn = Object.keys(file.given).flatMap((key) => USERS_OWN[key] ?? [])
  const isTrusted = file.source === undefined || trust.isTrusted(workspace, file.source)
  if (isTrusted) return { file, isTrusted, layer: 'project', rules, ignored: usersOwn, usersOwn, tools }
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    file,
    isTrusted,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [...usersOwn, ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`)],
    usersOwn,
    tools,
  }
}

/** Records that a person trusts what was read of a project: its settings and its tools. */
export function trustProject(workspace: string, { file, tools }: Project, trust: Trust): void {
  if (file.source !== undefined) trust.record(workspace, file.source)
  if (tools.content !== undefined) trust.record(tools.folder, tools.content)
}
