import { join } from 'node:path'
import type { Layer } from '../core/rule.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import { type SettledRule, settledRules } from './settled-rules.ts'
import type { Trust } from './trust.ts'

/** What a project asks for in its `.haft/settings.toml`, and what of it counts. */
export interface Project {
  readonly file: SettingsFile
  readonly isTrusted: boolean
  readonly layer: Layer
  readonly rules: readonly SettledRule[]
  /** What does not count while the project is not trusted, in words. */
  readonly ignored: readonly string[]
}

/** Reads a workspace's own settings. Until a person has trusted them, only what makes things stricter counts. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const isTrusted = file.source === undefined || trust.isTrusted(workspace, file.source)
  if (isTrusted) return { file, isTrusted, layer: 'project', rules, ignored: [] }
  const keys = Object.keys(file.given).filter((key) => key !== 'rules' && key !== 'tools')
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    file,
    isTrusted,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [...keys, ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`)],
  }
}
