import { compileFor } from '../../core/schema-targets/compile-for.ts'
import { nameFor } from '../../core/schema-targets/name-for.ts'
import { restoreArguments } from '../../core/schema-targets/restore-arguments.ts'
import type { CompiledSchema, Loss, TargetName } from '../../core/schema-targets/target.ts'
import type { RegisteredTool, Snapshot } from '../../core/tool/snapshot.ts'

/** Where the tools of an export come from: a host, a session or a snapshot. */
export type ToolsOf =
  | Pick<Snapshot, 'tools'>
  | { readonly snapshot: Pick<Snapshot, 'tools'> }
  | { readonly registry: { snapshot(): Pick<Snapshot, 'tools'> } }

/** What a target cannot express of one tool. */
export interface ToolReport {
  /** The id of the tool. */
  readonly tool: string
  readonly wireName: string
  readonly losses: readonly Loss[]
}

/** Tools in the form that a target takes. */
export interface ExportedTools<Definitions> {
  readonly tools: Definitions
  /** One entry for each tool of which something is lost. */
  readonly report: readonly ToolReport[]
  /** Returns the id of the tool that a call names, or undefined. */
  toolOf(wireName: string): string | undefined
  /** Returns the arguments of a call as the tool takes them: without the nulls that a strict schema makes a model send. JSON text is read; what cannot be read is returned as it is, for the pipeline to repair. */
  argumentsOf(wireName: string, given: unknown): unknown
}

/** A tool on its way to a target. */
export interface ToolForTarget extends CompiledSchema {
  readonly entry: RegisteredTool
  readonly wireName: string
}

/** How tools are exported. */
export interface ExportPlan<Definitions> {
  readonly target: TargetName
  /** Used for a tool that the target refuses. */
  readonly fallback?: TargetName
  write(tools: readonly ToolForTarget[]): Definitions
  /** What is lost beside the parameters. */
  findOtherLosses?(entry: RegisteredTool): readonly Loss[]
}

/** Exports tools to a target. */
export function exportTools<Definitions>(source: ToolsOf, plan: ExportPlan<Definitions>): ExportedTools<Definitions> {
  const entries = entriesOf(source)
  const names = nameFor(
    entries.map(({ wireName }) => wireName),
    plan.target,
  )
  const tools = entries.map((entry, index): ToolForTarget => {
    return { entry, wireName: names[index] ?? entry.wireName, ...compileTool(entry, plan) }
  })
  const byName = new Map(tools.map((tool) => [tool.wireName, tool]))
  const report = tools.map(({ entry, wireName, losses }) => {
    return { tool: entry.tool.name, wireName, losses: [...losses, ...(plan.findOtherLosses?.(entry) ?? [])] }
  })
  return {
    tools: plan.write(tools),
    report: report.filter(({ losses }) => losses.length > 0),
    toolOf: (wireName) => byName.get(wireName)?.entry.tool.name,
    argumentsOf: (wireName, given) => restoreArguments(readText(given), byName.get(wireName)?.addedNulls ?? []),
  }
}

function readText(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

function compileTool({ offered }: RegisteredTool, { target, fallback }: ExportPlan<unknown>): CompiledSchema {
  const compiled = compileFor(offered, target)
  if (compiled.refused.length === 0 || fallback === undefined) return compiled
  const plain = compileFor(offered, fallback)
  const text = `exported as ${fallback}: ${compiled.refused.join('; ')}`
  const loss: Loss = { path: '', keyword: target, effect: 'looser', text }
  return { ...plain, refused: compiled.refused, losses: [loss, ...plain.losses] }
}

/** The registered tools of a host, a session or a snapshot. */
export function entriesOf(source: ToolsOf): readonly RegisteredTool[] {
  if ('tools' in source) return source.tools
  return 'snapshot' in source ? source.snapshot.tools : source.registry.snapshot().tools
}
