import type { Result } from '../core/call/result.ts'
import type { Tool, ToolInput, ToolOutput } from '../core/tool/tool.ts'
import type { StartedCall } from './call-starter.ts'

/** Runs one call. Never throws or rejects. */
export interface CallFunction<Options> {
  /** Calls a tool by its id, wire name or alias. The arguments may be JSON text. */
  (name: string, args?: unknown, options?: Options): Promise<Result>
  /** Calls a registered tool, with typed arguments and `data`. Data that is too large for a result is replaced by `{omitted: true, reason, read}`. */
  <T extends Tool>(tool: T, args: ToolInput<T>, options?: Options): Promise<Result<ToolOutput<T>>>
}

/** Makes the call function of a host or session from its function that starts calls by name. */
export function createCallFunction<Options>(
  start: (name: string, args: unknown, options: Options | undefined) => StartedCall,
): CallFunction<Options> {
  function call(name: string, args?: unknown, options?: Options): Promise<Result>
  function call<T extends Tool>(tool: T, args: ToolInput<T>, options?: Options): Promise<Result<ToolOutput<T>>>
  function call(tool: string | Tool, args?: unknown, options?: Options): Promise<Result> {
    return start(typeof tool === 'object' && tool !== null ? tool.name : tool, args, options).result
  }
  return call
}
