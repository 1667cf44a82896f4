import { join } from 'node:path'
import type { Layer } from '../core/rule.ts'
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
}

/** What only a person settles, for all their projects. */
const USERS_OWN: readonly string[] = ['approvals', 'durable', 'log', 'model', 'models', 'sandbox', 'server']

/** Reads a workspace's own settings. Until a person has trusted them, only what makes things stricter counts. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const usersOwn = Object.keys(file.given).filter((key) => USERS_OWN.includes(key))
  const isTrusted = file.source === undefined || trust.isTrusted(workspace, file.source)
  if (isTrusted) return { file, isTrusted, layer: 'project', rules, ignored: usersOwn, usersOwn }
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    file,
    isTrusted,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [...usersOwn, ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`)],
    usersOwn,
  }
}
