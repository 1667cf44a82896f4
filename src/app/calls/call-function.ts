import { failure, type Result } from '../../core/call/result.ts'
import type { Snapshot } from '../../core/tool/snapshot.ts'
import type { Tool, ToolInput, ToolOutput } from '../../core/tool/tool.ts'
import type { StartedCall } from './call-starter.ts'

/** Runs one call. Never throws or rejects. */
export interface CallFunction<Options> {
  /** Calls a tool by its id, wire name or alias. The arguments may be JSON text. */
  (name: string, args?: unknown, options?: Options): Promise<Result>
  /** Calls a registered tool, with typed arguments and `data`. Data that is too large for a result is replaced by `{omitted: true, reason, read}`. */
  <T extends Tool>(tool: T, args: ToolInput<T>, options?: Options): Promise<Result<ToolOutput<T>>>
}

/** What a call function needs of its host or session. */
interface CallTarget<Options> {
  snapshot(): Snapshot
  start(name: string, args: unknown, options: Options | undefined): StartedCall
}

/** Makes the call function of a host or session. A tool is recognised by identity, so that its types hold and data from a network cannot pass for a tool. */
export function createCallFunction<Options>({ snapshot, start }: CallTarget<Options>): CallFunction<Options> {
  function call(name: string, args?: unknown, options?: Options): Promise<Result>
  function call<T extends Tool>(tool: T, args: ToolInput<T>, options?: Options): Promise<Result<ToolOutput<T>>>
  function call(given: string | Tool, args?: unknown, options?: Options): Promise<Result> {
    if (typeof given !== 'object' || given === null) return start(given, args, options).result
    const entry = snapshot().tools.find(({ tool }) => tool === given)
    if (entry === undefined) return Promise.resolve(failure('UNKNOWN_TOOL', NOT_REGISTERED))
    return start(entry.tool.name, args, options).result
  }
  return call
}

const NOT_REGISTERED = 'The tool that was passed is not registered here. Register it, or call a tool by its name.'
