import type { Rule } from '../../core/rules/rule.ts'
import { isRecord } from '../../core/text/json.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { connects, deletes, reads, type Touch, writes } from '../../core/tool/touch.ts'
import type { ToolRequest } from './python-process.ts'
import type { FileReport, ToolReport } from './read-report.ts'

/** Runs a call of a tool. */
export type RunTool = (request: ToolRequest, context: ToolContext) => Promise<unknown>

/** Makes a tool of what a host reported. One that names no effect may do anything. */
export function makeTool(report: ToolReport, file: string, run: RunTool): Tool {
  const { name, description, parameters, effect = 'run', approval, timeout, touches, hosts } = report
  return Object.freeze({
    name,
    description,
    input: parameters,
    effect,
    invalidPrefix: 'TypeError: ',
    ...(approval !== undefined && { approval: () => approval }),
    ...(timeout !== undefined && { timeout: () => timeout }),
    ...((hasTouches(touches) || hosts.length > 0) && {
      touches: (input: unknown) => [...listTouches(touches, input), ...hosts.map(connects)],
    }),
    execute: (input: unknown, context: ToolContext) =>
      run({ tool: name, file, arguments: input, session: context.session, call: context.call }, context),
  })
}

function hasTouches(touches: ToolReport['touches']): boolean {
  return Object.values(touches).some((names) => names.length > 0)
}

/** What a call touches: the paths and hosts, or lists of them, that the declared parameters hold. */
function listTouches(declared: ToolReport['touches'], input: unknown): Touch[] {
  const textsOf = (name: string) =>
    [isRecord(input) ? input[name] : undefined].flat().filter((one) => typeof one === 'string')
  return [
    ...declared.reads.flatMap(textsOf).map(reads),
    ...declared.writes.flatMap(textsOf).map(writes),
    ...declared.deletes.flatMap(textsOf).map((path) => deletes(path)),
    ...declared.connects.flatMap(textsOf).map((text) => connects(URL.parse(text)?.host || text)),
  ]
}

/** The deny rules that a file made with SafetyRule. */
export function listRules({ path, rules }: FileReport): Rule[] {
  return rules.map(({ name, forbidden }) => ({
    name,
    decision: 'deny',
    forbidden,
    reason: `the rule "${name}" in ${path} forbids ${forbidden.join(', ')}`,
  }))
}
