import { ToolError } from '../../core/call/result.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Problem } from '../check-value.ts'
import { checkRule } from '../rule-settings.ts'
import { changeManaged } from './managed-file.ts'

/** Adds a rule to Haft's own settings file. Rejects with ToolError where it could not be read back, or its name is taken. */
export async function addManagedRule(home: string, rule: Rule): Promise<void> {
  const written = writeRule(rule)
  const problems: Problem[] = []
  checkRule(written, ['rules'], (problem) => problems.push(problem))
  const [first] = problems
  if (first) throw new ToolError('INVALID_ARGUMENTS', `${first.path.join('.')}: ${first.message}`)
  await changeManaged(home, (given) => {
    if (rulesOf(given).some(isNamed(rule.name)))
      throw new ToolError('CONFLICT', `There is a rule ${JSON.stringify(rule.name)} already. Remove it first.`)
    return { ...given, rules: [...rulesOf(given), written] }
  })
}

/** Removes a rule from Haft's own settings file; false if there is none of that name. */
export async function removeManagedRule(home: string, name: string): Promise<boolean> {
  let isFound = false
  await changeManaged(home, (given) => {
    const rules = rulesOf(given)
    isFound = rules.some(isNamed(name))
    return isFound ? { ...given, rules: rules.filter((rule) => !isNamed(name)(rule)) } : given
  })
  return isFound
}

function isNamed(name: string): (rule: unknown) => boolean {
  return (rule) => isRecord(rule) && rule.name === name
}

function rulesOf({ rules }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(rules) ? rules : []
}

/** The rule with the keys of a settings file. */
function writeRule({ effects, when: _, ...rule }: Rule): Readonly<Record<string, unknown>> {
  return { ...rule, ...(effects && { effect: effects }) }
}
