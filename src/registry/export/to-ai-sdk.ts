import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Result, Success } from '../../core/call/result.ts'
import { toJsonResult } from '../../core/call/result-forms.ts'
import { imagesOf } from '../../core/call/result-images.ts'
import { isRecord, type JsonSchema } from '../../core/text/json.ts'
import { type ExportedTools, exportTools, type ToolForTarget } from './export-tools.ts'
import type { ExportedCallOptions, ToolCaller } from './tool-caller.ts'

/** What the AI SDK tells of a call. */
export interface AiSdkCall {
  readonly toolCallId: string
  readonly messages: readonly unknown[]
  readonly abortSignal?: AbortSignal | undefined
}

/** A result in the forms that the AI SDK sends to a model. */
export type AiSdkModelOutput =
  | { type: 'text'; value: string }
  | { type: 'content'; value: AiSdkContent[] }
  | { type: 'error-text'; value: string }
  | { type: 'execution-denied'; reason: string }

/** One part of a result that has images. */
export type AiSdkContent =
  | { type: 'text'; text: string }
  | { type: 'file'; data: { type: 'data'; data: string }; mediaType: string; filename: string }

/** A tool as the Vercel AI SDK takes it. */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: StandardSchemaV1<unknown, unknown> & StandardJSONSchemaV1<unknown, unknown>
  needsApproval?(input: unknown, call: AiSdkCall): Promise<boolean>
  /** Makes the call through the pipeline; never rejects. */
  execute(input: unknown, call: AiSdkCall): Promise<Result>
  toModelOutput(options: { readonly output: Result }): AiSdkModelOutput
}

/** How tools are exported to the AI SDK. */
export interface AiSdkOptions extends ExportedCallOptions {
  /** Who carries approval requests. `haft`: the approver of the call, while the tool waits. `ai-sdk`: the AI SDK ends the step with an approval request, and the answer is read from the messages of the next one; whoever can write these messages can approve, so they must not come from an untrusted client. */
  readonly approvals?: 'haft' | 'ai-sdk'
}

/** Exports tools to the Vercel AI SDK; each call runs through the pipeline, with its rules and approvals. */
export function toAiSdk(
  caller: ToolCaller,
  { approvals = 'haft', ...options }: AiSdkOptions = {},
): ExportedTools<Record<string, AiSdkTool>> {
  const asks = approvals === 'ai-sdk'
  const makeTool = ({ entry, schema }: ToolForTarget): AiSdkTool => {
    const { name, description } = entry.tool
    return {
      description,
      inputSchema: schemaFor(schema),
      ...(asks && { needsApproval: async (input) => (await caller.check(name, input)).decision === 'ask' }),
      async execute(input, { toolCallId, messages, abortSignal }) {
        const isApproved = asks && findApproval(messages, toolCallId)
        const result = await caller.call(name, input, {
          ...options,
          ...(isApproved && { decision: 'allow', by: 'ai-sdk' }),
          ...(abortSignal && { signal: abortSignal }),
        })
        return toJsonResult(result)
      },
      toModelOutput: ({ output }) => writeOutput(output),
    }
  }
  return exportTools(caller, {
    target: 'ai-sdk',
    write: (tools) => Object.fromEntries(tools.map((tool) => [tool.wireName, makeTool(tool)])),
  })
}

/** A JSON Schema in a form that the AI SDK takes. Its types see a Standard Schema; the mark makes it take the JSON Schema as it is, which it would close otherwise. Arguments are checked and repaired by the pipeline. */
function schemaFor(schema: JsonSchema): AiSdkTool['inputSchema'] {
  const write = () => ({ ...schema })
  return Object.assign(
    {
      '~standard': {
        version: 1 as const,
        vendor: 'haft',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: write, output: write },
      },
    },
    { [Symbol.for('vercel.ai.schema')]: true, jsonSchema: schema, validate: undefined },
  )
}

function writeOutput(output: Result): AiSdkModelOutput {
  if (output.ok) return writeSuccess(output)
  if (output.code === 'DENIED') return { type: 'execution-denied', reason: output.text }
  return { type: 'error-text', value: `${output.code}: ${output.text}` }
}

function writeSuccess(output: Success): AiSdkModelOutput {
  const files = imagesOf(output).map(({ name, mediaType, content }): AiSdkContent => {
    return { type: 'file', data: { type: 'data', data: content }, mediaType, filename: name }
  })
  if (files.length === 0) return { type: 'text', value: output.text }
  return { type: 'content', value: [{ type: 'text', text: output.text }, ...files] }
}

/** True where the messages hold an approval request for this call and a yes to it. */
function findApproval(messages: readonly unknown[], toolCallId: string): boolean {
  const parts = messages.flatMap((message) =>
    isRecord(message) && Array.isArray(message.content) ? message.content.filter(isRecord) : [],
  )
  const requests = parts.filter((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId)
  return parts.some(
    ({ type, approved, approvalId }) =>
      type === 'tool-approval-response' &&
      approved === true &&
      requests.some((request) => request.approvalId === approvalId),
  )
}
