import { join } from 'node:path'
import type { Layer } from '../core/rule.ts'
import { readProjectContent } from './project-content.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import type { SettledRule } from './rule-settings.ts'
import { settledRules } from './settled-rules.ts'
import type { Trust } from './trust.ts'

/** What a project asks for in its `.haft/settings.toml`, and what of it counts. */
export interface Project {
  readonly file: SettingsFile
  /** The files of its tools folder, relative to the workspace; none of them is run before the project is trusted. */
  readonly tools: readonly string[]
  /** What is trusted, as one text; undefined where the project has nothing of its own. */
  readonly content: string | undefined
  readonly isTrusted: boolean
  readonly layer: Layer
  readonly rules: readonly SettledRule[]
  /** What does not count: what is the user's alone, and all that loosens while the project is not trusted. */
  readonly ignored: readonly string[]
  /** The part of it that no trust makes count. */
  readonly usersOwn: readonly string[]
}

/** What only a person settles, for all their projects; each member with its key in the file. */
const USERS_OWN: Readonly<Record<string, string>> = {
  approvals: 'approvals',
  durable: 'durable',
  log: 'log',
  python: 'python',
  sandbox: 'sandbox',
  server: 'server',
  toolsDirs: 'tools_dirs',
}

/** Reads a workspace's own settings. Until a person has trusted them, only what makes things stricter counts. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const usersOwn = Object.keys(file.given).flatMap((key) => USERS_OWN[key] ?? [])
  const { tools, text: content } = readProjectContent(workspace, file.source)
  const isTrusted = content === undefined || trust.isTrusted(workspace, content)
  const own = { file, tools, content, isTrusted, usersOwn }
  if (isTrusted) return { ...own, layer: 'project', rules, ignored: usersOwn }
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    ...own,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [
      ...usersOwn,
      ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`),
      ...tools.map((path) => `tools of ${path}`),
    ],
  }
}
