import type { ErrorCode } from '../../core/call/codes.ts'
import type { Result } from '../../core/call/result.ts'
import { imagesOf } from '../../core/call/result-images.ts'
import { type ExportedTools, exportTools } from './export-tools.ts'
import type { ExportedCallOptions, ToolCaller } from './tool-caller.ts'

/** A result as the Copilot SDK takes it from a tool. */
export interface CopilotToolResult {
  textResultForLlm: string
  /** Images that the tool returned. */
  binaryResultsForLlm?: { data: string; mimeType: string; type: 'image'; description: string }[]
  resultType: 'success' | 'failure' | 'rejected' | 'denied' | 'timeout'
  error?: string
}

/** A tool as the Copilot SDK takes it, given to a session or to its `defineTool`. */
export interface CopilotTool {
  readonly name: string
  readonly description: string
  readonly parameters: { [keyword: string]: unknown }
  /** The pipeline asks by itself: a person is not asked twice. */
  readonly skipPermission: true
  readonly overridesBuiltInTool?: true
  readonly isTerminal?: true
  /** Makes the call through the pipeline; never rejects. */
  readonly handler: (args: unknown, invocation: { readonly signal?: AbortSignal }) => Promise<CopilotToolResult>
}

/** How tools are exported to the Copilot SDK. */
export interface CopilotOptions extends ExportedCallOptions {
  /** Puts tools in the place of built-in ones of the same name; the runtime refuses such a tool otherwise. */
  readonly override?: boolean
}

/** Exports tools to the GitHub Copilot SDK; each call runs through the pipeline, with its rules and approvals. */
export function toCopilot(
  caller: ToolCaller,
  { override = false, ...options }: CopilotOptions = {},
): ExportedTools<CopilotTool[]> {
  return exportTools(caller, {
    target: 'copilot',
    write: (tools) =>
      tools.map(({ entry: { tool }, wireName, schema }) => ({
        name: wireName,
        description: tool.description,
        parameters: schema,
        skipPermission: true,
        ...(override && { overridesBuiltInTool: true }),
        ...(tool.endsRun && { isTerminal: true }),
        handler: async (args, { signal }) =>
          writeResult(await caller.call(tool.name, args, { ...options, ...(signal && { signal }) })),
      })),
  })
}

/** What ends a call otherwise than by failing: a rule, a person, a limit of time. */
const RESULT_TYPES: Partial<Record<ErrorCode, CopilotToolResult['resultType']>> = {
  BLOCKED: 'denied',
  DENIED: 'rejected',
  TIMEOUT: 'timeout',
}

function writeResult(result: Result): CopilotToolResult {
  if (result.ok) {
    const images = imagesOf(result).map(({ name, mediaType, content }) => {
      return { data: content, mimeType: mediaType, type: 'image' as const, description: name }
    })
    const binary = images.length > 0 && { binaryResultsForLlm: images }
    return { resultType: 'success', textResultForLlm: result.text, ...binary }
  }
  const { code, text } = result
  return { resultType: RESULT_TYPES[code] ?? 'failure', textResultForLlm: text, error: `${code}: ${text}` }
}
