import type { TargetName } from '../../core/schema-targets/target.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import { type ExportedTools, exportTools, type ToolReport } from './export-tools.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toGemini } from './to-gemini.ts'
import { toMcp } from './to-mcp.ts'
import { toOllama } from './to-ollama.ts'
import { toOpenAI } from './to-openai.ts'

/** How definitions are exported as JSON. */
export interface ExportAsOptions {
  /** For `openai`: see `toOpenAI`. */
  readonly strict?: boolean
  /** Only the tool of this name, any of its names. */
  readonly tool?: string
}

type Exporter = (snapshot: Pick<Snapshot, 'tools'>, options: ExportAsOptions) => ExportedTools<unknown>

/** The exporters by the names that the command line gives them; those of libraries without what only a program can hold. */
const EXPORTERS = {
  openai: toOpenAI,
  anthropic: (snapshot) => toAnthropic(snapshot),
  gemini: (snapshot) => toGemini(snapshot),
  ollama: (snapshot) => toOllama(snapshot),
  mcp: (snapshot) => toMcp(snapshot),
  'ai-sdk': (snapshot) =>
    exportTools(snapshot, {
      target: 'ai-sdk',
      write: (tools) =>
        Object.fromEntries(
          tools.map(({ entry, wireName, schema }) => [
            wireName,
            { description: entry.tool.description, inputSchema: schema },
          ]),
        ),
    }),
  copilot: (snapshot) =>
    exportTools(snapshot, {
      target: 'copilot',
      write: (tools) =>
        tools.map(({ entry, wireName, schema }) => {
          return { name: wireName, description: entry.tool.description, parameters: schema, skipPermission: true }
        }),
    }),
} as const satisfies Readonly<Record<string, Exporter>>

/** A format that tools can be exported in. */
export type ExportFormat = keyof typeof EXPORTERS

/** Exports tools as plain data. */
export function exportAs(
  snapshot: Snapshot,
  format: ExportFormat,
  options: ExportAsOptions = {},
): ExportedTools<unknown> {
  const exporter: Exporter = EXPORTERS[format]
  return exporter(select(snapshot, options.tool), options)
}

/** Returns what a target cannot express of the tools, or of the one that is named. */
export function reportFor(snapshot: Snapshot, target: TargetName, tool?: string): readonly ToolReport[] {
  const fallback = target === 'openai-strict' ? ({ fallback: 'openai' } as const) : {}
  return exportTools(select(snapshot, tool), { target, ...fallback, write: () => undefined }).report
}

function select(snapshot: Snapshot, tool: string | undefined): Pick<Snapshot, 'tools'> {
  if (tool === undefined) return snapshot
  const entry = snapshot.find(tool)
  return { tools: entry === undefined ? [] : [entry] }
}
