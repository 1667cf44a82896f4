import { join } from 'node:path'
import type { Layer } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import { readProjectContent } from './project-content.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import type { SettledRule } from './rule-settings.ts'
import { settledRules } from './settled-rules.ts'
import type { Trust } from './trust.ts'

/** The settings of a project in `.haft/settings.toml`, and which of them apply. */
export interface Project {
  readonly file: SettingsFile
  /** The files of its tools folder, relative to the workspace; none of them is run before the project is trusted. */
  readonly tools: readonly string[]
  /** What is trusted, as one text; undefined where the project has nothing of its own. */
  readonly content: string | undefined
  readonly isTrusted: boolean
  readonly layer: Layer
  readonly rules: readonly SettledRule[]
  /** The mode that a trusted project chooses. */
  readonly mode?: Mode
  /** Settings that do not apply: those that only the user may set and, while the project is not trusted, those that allow more. */
  readonly ignored: readonly string[]
  /** The ignored settings that trust does not change. */
  readonly usersOwn: readonly string[]
}

/** The settings that only a user's own file may set; each member with its key in the file. */
const USERS_OWN: Readonly<Record<string, string>> = {
  approvals: 'approvals',
  code: 'code',
  commands: 'commands',
  durable: 'durable',
  log: 'log',
  mcp: 'mcp',
  model: 'model',
  models: 'models',
  python: 'python',
  run: 'run',
  sandbox: 'sandbox',
  server: 'server',
  toolsDirs: 'tools_dirs',
  web: 'web',
}

/** The modes that a project may choose. */
const PROJECT_MODES: readonly Mode[] = ['plan', 'ask']

/** Reads a workspace's own settings. Until a person trusts them, only stricter settings apply. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const usersOwn = Object.keys(file.given).flatMap((key) => USERS_OWN[key] ?? [])
  const { mode } = file.given
  const isOwnMode = mode !== undefined && !PROJECT_MODES.includes(mode)
  if (isOwnMode) usersOwn.push(`mode = "${mode}"`)
  const { tools, text: content } = readProjectContent(workspace, file.source)
  const isTrusted = content === undefined || trust.isTrusted(workspace, content)
  const own = { file, tools, content, isTrusted, usersOwn }
  const chosen = mode !== undefined && !isOwnMode ? { mode } : {}
  if (isTrusted) return { ...own, layer: 'project', rules, ...chosen, ignored: usersOwn }
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    ...own,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [
      ...usersOwn,
      ...(mode !== undefined && !isOwnMode ? ['mode'] : []),
      ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`),
      ...tools.map((path) => `tools of ${path}`),
    ],
  }
}
