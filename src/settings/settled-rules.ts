import { filtersToRules, type SettledRule } from './rule-settings.ts'
import type { GivenSettings } from './settings.ts'

/** Returns all rules of a settings file: its `[[rules]]`, then the filters of its `[tools.NAME]`. */
export function settledRules({ rules = [], tools = {} }: Partial<GivenSettings>): readonly SettledRule[] {
  return [...rules.map((rule, index) => ({ rule, path: ['rules', index] })), ...filtersToRules(tools)]
}
