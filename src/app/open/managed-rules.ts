import { messageOf, ToolError } from '../../core/call/result.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { createOwnRules } from '../../rules/own-rules.ts'
import { addManagedRule, removeManagedRule } from '../../settings/managed/managed-rules.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'

/** The rules that commands and pages have added, which are the person's own. They count in every workspace of the home. */
export interface ManagedRules {
  /** Haft's own settings file as it was read at the start; undefined without a home. */
  readonly file: SettingsFile | undefined
  list(): readonly Rule[]
  /** Stores a rule. Rejects with ToolError if it is invalid or its name is taken. */
  add(rule: Rule): Promise<void>
  /** Removes a rule; false if there is none of that name. */
  remove(name: string): Promise<boolean>
  /** Calls the listener with all rules whenever they change. Returns a function that stops this. */
  on(listener: (rules: readonly Rule[]) => void): () => void
}

/** Opens the managed rules of a home. */
export function openManagedRules(home: string | undefined, file: SettingsFile | undefined): ManagedRules {
  let rules: readonly Rule[] = file?.given.rules ?? []
  const listeners = new Set<(rules: readonly Rule[]) => void>()
  const set = (next: readonly Rule[]): void => {
    rules = next
    for (const listener of listeners) listener(rules)
  }
  return {
    file,
    list: () => rules,
    async add(rule) {
      if (home === undefined)
        throw new ToolError('UNAVAILABLE', 'Rules are stored in the home of Haft, and there is none.')
      if (rules.some(({ name }) => name === rule.name))
        throw new ToolError('CONFLICT', `There is a rule ${JSON.stringify(rule.name)} already. Remove it first.`)
      checkRule(rule)
      await addManagedRule(home, rule)
      set([...rules, rule])
    },
    async remove(name) {
      if (home === undefined || !rules.some((rule) => rule.name === name)) return false
      await removeManagedRule(home, name)
      set(rules.filter((rule) => rule.name !== name))
      return true
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Throws ToolError if a pattern of the rule is invalid. */
function checkRule(rule: Rule): void {
  try {
    createOwnRules('/').add(rule, { layer: 'user', source: 'managed.toml' })
  } catch (thrown) {
    throw new ToolError('INVALID_ARGUMENTS', `The rule ${JSON.stringify(rule.name)} is invalid: ${messageOf(thrown)}`)
  }
}
