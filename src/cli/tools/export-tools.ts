import type { Host } from '../../app/host.ts'
import { type Cli, EXIT, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

type Registry = Host['registry']

/** A format that `haft tools --format` prints. */
export type Format = Parameters<Registry['export']>[0]

/** Those formats. */
export const FORMATS: readonly Format[] = ['openai', 'anthropic', 'gemini', 'ollama', 'mcp', 'ai-sdk', 'copilot']

interface ExportOptions {
  readonly format: Format
  /** Only this tool. */
  readonly name: string | undefined
  readonly strict?: boolean
  readonly report?: boolean
  readonly json?: boolean
}

/** Prints the tools in a format, or what that format cannot express. */
export async function exportTools(cli: Cli, registry: Registry, options: ExportOptions): Promise<number> {
  const { format, name, strict = false, report, json } = options
  const exported = await registry.export(format, { strict, ...(name !== undefined && { tool: name }) })
  if (report && json) cli.writeJson({ format, report: exported.report })
  else if (report) showReport(cli, exported.report, format)
  else cli.writeJson(name === undefined ? exported.tools : single(exported.tools))
  return EXIT.ok
}

interface ModelReportOptions {
  /** The model that `haft run` would use where it is absent. */
  readonly model?: string
  /** Only this tool. */
  readonly name: string | undefined
  readonly json?: boolean
}

/** Prints which parts of the tools the protocol of a model cannot express. */
export async function reportForModel(cli: Cli, host: Host, options: ModelReportOptions): Promise<number> {
  const { models, registry } = host
  const { name, json } = options
  const { name: model } = await models.choose(options.model)
  const target = await models.toolTarget(model)
  const report = target === undefined ? [] : await registry.report(target, name)
  if (json) cli.writeJson({ model, format: target ?? null, report })
  else showReport(cli, report, target === undefined ? model : `${model} (${target})`)
  return EXIT.ok
}

function single(tools: unknown): unknown {
  return Array.isArray(tools) && tools.length === 1 ? tools[0] : tools
}

type Report = Awaited<ReturnType<Registry['export']>>['report']

const EFFECTS = { looser: 'yellow', tighter: 'red', note: 'dim' } as const

function showReport(cli: Cli, report: Report, reader: string): void {
  if (report.length === 0) cli.print(`${reader} can express every tool.`)
  for (const { tool, losses } of report) {
    cli.print(paint('bold', tool))
    const rows = losses.map(({ path, keyword, effect, text }): Cell[] => [
      { style: EFFECTS[effect], text: `  ${effect}` },
      { style: 'reset', text: path === '' ? 'the root' : path },
      { style: 'cyan', text: keyword },
      { style: 'reset', text },
    ])
    for (const line of tableLines(rows, { last: 'wrap' })) cli.print(line)
  }
}
