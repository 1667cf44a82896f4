import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { EFFECTS, type Effect } from '../../core/tool/tool.ts'

/** A tool as the host found it. */
export interface ToolReport {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly line: number | undefined
  readonly effect: Effect | undefined
  readonly approval: boolean | undefined
  /** Seconds. */
  readonly timeout: number | undefined
  /** The parameters that hold paths which the tool reads, changes or deletes, and hosts or URLs that it connects to. */
  readonly touches: Readonly<Record<'reads' | 'writes' | 'deletes' | 'connects', readonly string[]>>
  /** The hosts that each call connects to. */
  readonly hosts: readonly string[]
}

/** What one file gave. */
export interface FileReport {
  readonly path: string
  /** False where it could not be imported: what it gave before stays in use. */
  readonly isImported: boolean
  readonly tools: readonly ToolReport[]
  readonly problems: readonly { readonly line: number | undefined; readonly reason: string }[]
  readonly rules: readonly { readonly name: string; readonly forbidden: readonly string[] }[]
}

/** Reads what a host reports of a file; undefined for anything else. A project's code can write anything there, so whatever has another form is left out. */
export function readReport(message: unknown): FileReport | undefined {
  if (!isRecord(message)) return undefined
  const { path, imported, tools, problems, rules } = message
  if (typeof path !== 'string') return undefined
  return {
    path,
    isImported: imported === true,
    tools: recordsOf(tools).flatMap(readTool),
    problems: recordsOf(problems).flatMap(({ line, reason }) =>
      typeof reason === 'string' ? [{ line: numberOf(line), reason: reason.slice(0, 2_000) }] : [],
    ),
    rules: recordsOf(rules).flatMap(({ name, forbidden }) =>
      typeof name === 'string' ? [{ name, forbidden: textsOf(forbidden) }] : [],
    ),
  }
}

function readTool(given: Readonly<Record<string, unknown>>): ToolReport[] {
  const { name, description, parameters, approval, touches } = given
  if (typeof name !== 'string' || typeof description !== 'string' || !isRecord(parameters)) return []
  const { reads, writes, deletes, connects } = isRecord(touches) ? touches : {}
  return [
    {
      name,
      description,
      parameters,
      line: numberOf(given.line),
      effect: EFFECTS.find((effect) => effect === given.effect),
      approval: typeof approval === 'boolean' ? approval : undefined,
      timeout: numberOf(given.timeout),
      touches: {
        reads: textsOf(reads),
        writes: textsOf(writes),
        deletes: textsOf(deletes),
        connects: textsOf(connects),
      },
      hosts: textsOf(given.hosts),
    },
  ]
}

function recordsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
