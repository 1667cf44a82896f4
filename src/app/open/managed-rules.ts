import { messageOf, ToolError } from '../../core/call/result.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { createOwnRules } from '../../rules/own-rules.ts'
import { addManagedRule, removeManagedRule } from '../../settings/managed/managed-rules.ts'
import type { LiveSettings } from './live-settings.ts'

/** The rules that commands and pages have added, which are the person's own. They count in every workspace and process of the home. */
export interface ManagedRules {
  /** The file that holds them; empty without a home. */
  readonly source: string
  list(): readonly Rule[]
  /** Stores a rule. Rejects with ToolError if it is invalid or its name is taken. */
  add(rule: Rule): Promise<void>
  /** Removes a rule; false if there is none of that name. */
  remove(name: string): Promise<boolean>
  /** Calls the listener with all rules whenever they change, in whatever process. Returns a function that stops this. */
  on(listener: (rules: readonly Rule[]) => void): () => void
}

/** Opens the managed rules of a home. */
export function openManagedRules(home: string | undefined, live: LiveSettings): ManagedRules {
  const list = (): readonly Rule[] => live.added()?.given.rules ?? []
  return {
    source: live.added()?.path ?? '',
    list,
    async add(rule) {
      if (home === undefined)
        throw new ToolError('UNAVAILABLE', 'Rules are stored in HAFT_HOME, but Haft was opened without one.')
      checkRule(rule)
      await addManagedRule(home, rule)
      live.refresh()
    },
    async remove(name) {
      if (home === undefined || !(await removeManagedRule(home, name))) return false
      live.refresh()
      return true
    },
    on(listener) {
      let known = JSON.stringify(list())
      return live.on(() => {
        const now = JSON.stringify(list())
        if (now === known) return
        known = now
        listener(list())
      })
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
