import type { Rule } from '../../core/rules/rule.ts'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { nearest } from '../../core/text/nearest.ts'
import { isStandardSchema } from '../../core/tool/parse-standard.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'
import type { Problem, SettingsPath } from '../../settings/check-value.ts'
import { type SettingsFile, settingsError } from '../../settings/read-settings.ts'
import { UNDO } from '../../undo/undo-tool.ts'

/** Lists the tools that a settings file names. */
export function listToolNames(file: SettingsFile | undefined): readonly string[] {
  const { tools = {}, rules = [] } = file?.given ?? {}
  return [...Object.keys(tools), ...rules.flatMap(({ tools = [] }) => tools)].filter((name) => !isPattern(name))
}

/** Checks the tool names in a settings file, because a rule with a misspelt name would never match; while files are loading, a name may be that of one of their tools. Rejects with SettingsError. */
export async function checkToolNames(
  file: SettingsFile | undefined,
  snapshot: () => Snapshot,
  isLoading: boolean,
): Promise<void> {
  const { tools = {}, rules = [] } = file?.given ?? {}
  if (file === undefined || (rules.length === 0 && Object.keys(tools).length === 0)) return
  const known = snapshot()
  const isKnown = (name: string) => !isLoading || isPattern(name) || known.find(name) !== undefined
  const problems = [
    ...Object.keys(tools).flatMap((name) => (isKnown(name) ? checkFilter(name, known) : [])),
    ...rules.flatMap((rule, index) =>
      (rule.tools ?? []).every(isKnown) ? checkRule(rule, ['rules', index], known) : [],
    ),
  ]
  if (problems.length > 0) throw await settingsError(file, problems)
}

function checkFilter(name: string, snapshot: Snapshot): Problem[] {
  const path = ['tools', name]
  const entry = snapshot.find(name)
  if (entry === undefined) return [{ path, message: unknownTool(name, snapshot) }]
  const { main, touches } = entry.tool
  if (main !== undefined || touches !== undefined) return []
  const message = `${name} has no main parameter that a pattern could match. Write a [[rules]] entry instead.`
  return [{ path, message }]
}

function checkRule(rule: Rule, path: SettingsPath, snapshot: Snapshot): Problem[] {
  const { tools = [] } = rule
  const unknown = tools.flatMap((name, index) =>
    isPattern(name) || name === UNDO || snapshot.find(name)
      ? []
      : [{ path: [...path, 'tools', index], message: unknownTool(name, snapshot) }],
  )
  return unknown.length > 0 ? unknown : checkArguments(rule, path, snapshot)
}

/** True for a pattern. It may match tools that are loaded later, so it is not checked. */
function isPattern(name: string): boolean {
  return name.endsWith('*')
}

function unknownTool(name: string, snapshot: Snapshot): string {
  const near = snapshot.nearest(name)
  return `there is no such tool. ${didYouMean(near, () => snapshot.tools.map(({ tool }) => tool.name))}`
}

/** Finds arguments that none of a rule's tools has. Finds nothing if the rule has no tools or a pattern, or a tool accepts other arguments than it names. */
function checkArguments(
  { tools = [], arguments: given = {} }: Rule,
  path: SettingsPath,
  snapshot: Snapshot,
): Problem[] {
  const entries = tools.map((name) => (isPattern(name) ? undefined : snapshot.find(name)))
  const known = entries.map((entry) => entry && closedArguments(entry))
  if (known.length === 0 || known.includes(undefined)) return []
  const all = [...new Set(known.flatMap((names) => names ?? []))]
  return Object.keys(given)
    .filter((name) => !all.includes(name))
    .map((name) => {
      const who = tools.length === 1 ? `${tools[0]} has no such argument` : `${noneOf(tools)} has such an argument`
      return { path: [...path, 'arguments', name], message: `${who}. ${didYouMean(nearest(name, all), () => all)}` }
    })
}

/** Returns the arguments of a tool; undefined if it may accept others or its schema may add others. */
function closedArguments({ tool, parameters }: RegisteredTool): string[] | undefined {
  const { properties, additionalProperties }: JsonSchema = parameters
  if (isStandardSchema(tool.input) || additionalProperties !== false) return undefined
  return isRecord(properties) ? Object.keys(properties) : []
}

function noneOf(tools: readonly string[]): string {
  return tools.length === 2 ? `neither ${tools.join(' nor ')}` : `none of ${tools.join(', ')}`
}

function didYouMean(near: readonly string[], all: () => readonly string[]): string {
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There is ${all().join(', ') || 'none'}.`
}
