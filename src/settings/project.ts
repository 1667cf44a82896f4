import { join } from 'node:path'
import type { Layer } from '../core/rules/rule.ts'
import type { Mode } from '../core/session/mode.ts'
import { readSettings, type SettingsFile } from './read-settings.ts'
import type { SettledRule } from './rule-settings.ts'
import { settledRules } from './settled-rules.ts'
import type { Trust } from './trust.ts'

/** The settings of a project in `.haft/settings.toml`, and which of them apply. */
export interface Project {
  readonly file: SettingsFile
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

/** The keys that only a user's own settings may set. */
const USERS_OWN: readonly string[] = ['approvals', 'durable', 'log', 'sandbox', 'server']

/** The modes that a project may choose. */
const PROJECT_MODES: readonly Mode[] = ['plan', 'ask']

/** Reads a workspace's own settings. Until a person trusts them, only stricter settings apply. Throws SettingsError. */
export async function readProject(workspace: string, trust: Trust): Promise<Project> {
  const file = await readSettings(join(workspace, '.haft/settings.toml'))
  const rules = settledRules(file.given)
  const usersOwn = Object.keys(file.given).filter((key) => USERS_OWN.includes(key))
  const mode = file.given.mode
  const isOwnMode = mode !== undefined && !PROJECT_MODES.includes(mode)
  if (isOwnMode) usersOwn.push(`mode = "${mode}"`)
  const isTrusted = file.source === undefined || trust.isTrusted(workspace, file.source)
  if (isTrusted) {
    const chosen = mode !== undefined && !isOwnMode ? { mode } : {}
    return { file, isTrusted, layer: 'project', rules, ...chosen, ignored: usersOwn, usersOwn }
  }
  const loosening = rules.filter(({ rule }) => rule.decision === 'allow')
  return {
    file,
    isTrusted,
    layer: 'untrusted project',
    rules: rules.filter(({ rule }) => rule.decision !== 'allow'),
    ignored: [
      ...usersOwn,
      ...(mode !== undefined && !isOwnMode ? ['mode'] : []),
      ...loosening.map(({ rule }) => `rule "${rule.name}" (allow)`),
    ],
    usersOwn,
  }
}
