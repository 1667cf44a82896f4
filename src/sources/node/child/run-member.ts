import { isAnswer, ToolError } from '../../../core/call/result.ts'
import { isStandardSchema, parseStandard } from '../../../core/tool/parse-standard.ts'
import type { CallMessage, Returned } from '../protocol.ts'
import type { FolderContext } from './folder-context.ts'
import { parseInput, readInput } from './input.ts'
import type { LoadedTool } from './loaded-tool.ts'
import { readImage } from './read-image.ts'
import { runSteps } from './run-steps.ts'

/** Runs one member of a tool; the value is what is sent back. Throws what the tool throws. */
export async function runMember(tool: LoadedTool, message: CallMessage, context: FolderContext): Promise<unknown> {
  const { member, input: sent } = message
  if (member === 'parse') return parseInput(tool, 'value' in sent ? sent.value : undefined)
  const input = await readInput(tool, sent)
  // The rest of what a context has in Haft refuses by itself when it is used.
  const prepareContext = context as FolderContext & Parameters<NonNullable<LoadedTool['prepare']>>[1]
  if (member === 'foresee') {
    const timeout = typeof tool.timeout === 'function' ? await tool.timeout(input) : undefined
    return { touches: await tool.touches?.(input), timeout }
  }
  if (member === 'approval')
    return typeof tool.approval === 'function' ? tool.approval(input, prepareContext) : tool.approval
  if (member === 'prepare') return tool.prepare?.(input, prepareContext)
  if (member === 'plan' || member === 'step' || member === 'cleanup')
    return runSteps(tool, input, { message, context, finish: (value) => finish(tool, value) })
  return finish(tool, await tool.execute?.(input, context))
}

/** What a tool returned, once its own output schema has taken it. */
async function finish({ name, output }: LoadedTool, value: unknown): Promise<Returned> {
  const { text, frame } = isAnswer(value) ? value : {}
  const data = isAnswer(value) ? value.data : value
  if (output !== undefined && isStandardSchema(output)) {
    const { issues } = await parseStandard(output, data)
    if (issues.length > 0) {
      const shown = issues.slice(0, 10).map(({ message }) => `\n- ${message}`)
      throw new ToolError(
        'EXECUTION_ERROR',
        `${name} ran, but what it returned does not fit its own output schema:${shown.join('')}`,
      )
    }
  }
  const image = readImage(data)
  if (image) return image
  const kind = typeof data
  if (kind === 'function' || kind === 'symbol')
    throw new TypeError(`The tool ran, but its result is a ${kind}, which JSON cannot carry.`)
  return { data: data ?? null, ...(text !== undefined && { text }), ...(frame !== undefined && { frame }) }
}
