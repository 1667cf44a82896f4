import type { ModelCall } from '../../../core/ports/model.ts'
import type { OfferedTools } from './offered-tools.ts'
import type { PrintedCall } from './printed-call.ts'
import { typeArguments } from './type-arguments.ts'

/** Printed calls, sorted by whether they name an offered tool. */
export interface ResolvedCalls {
  readonly calls: readonly ModelCall[]
  /** Those that stay text. */
  readonly others: readonly PrintedCall[]
  /** Names that were spelled differently, one sentence each. */
  readonly repairs: readonly string[]
}

export function resolveCalls(printed: readonly PrintedCall[], tools: OfferedTools): ResolvedCalls {
  const calls: ModelCall[] = []
  const others: PrintedCall[] = []
  const repairs: string[] = []
  for (const call of printed) {
    const tool = tools.find(call.name)
    const given = tool === undefined ? undefined : typeArguments(call, tool)
    if (tool === undefined || given === undefined) {
      others.push(call)
      continue
    }
    calls.push({ name: tool.name, arguments: given })
    if (tool.name !== call.name)
      repairs.push(`Read another spelling of a tool's name: ${JSON.stringify(call.name)} as ${tool.name}.`)
  }
  return { calls, others, repairs }
}
