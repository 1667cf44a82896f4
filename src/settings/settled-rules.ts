import type { Rule } from '../core/rule.ts'
import type { SettingsPath } from './check-value.ts'
import { filtersToRules } from './rule-settings.ts'
import type { GivenSettings } from './settings.ts'

/** A rule and where in its file it stands. */
export interface SettledRule {
  readonly rule: Rule
  readonly path: SettingsPath
}

/** All rules of a settings file: its `[[rules]]`, then the filters of its `[tools.NAME]`. */
export function settledRules({ rules = [], tools = {} }: Partial<GivenSettings>): readonly SettledRule[] {
  return [
    ...rules.map((rule, index) => ({ rule, path: ['rules', index] })),
    ...filtersToRules(tools).map((rule) => ({ rule, path: rule.name.split('.') })),
  ]
}
