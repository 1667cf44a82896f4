import type { Alias } from '../../../core/tool/alias.ts'
import type { PrepareContext } from '../../../core/tool/context.ts'
import type { AnySchema } from '../../../core/tool/schema.ts'
import type { Effect } from '../../../core/tool/tool.ts'
import type { FolderContext } from './folder-context.ts'

/** A tool of a file, whichever way its author wrote it. */
export interface LoadedTool {
  readonly name: string
  readonly description: string
  readonly input: AnySchema
  readonly output?: AnySchema
  readonly effect?: Effect
  readonly main?: string
  readonly aliases?: readonly (string | Alias)[]
  readonly idempotent?: boolean
  readonly endsRun?: boolean
  readonly approval?: boolean | ((input: unknown, context: PrepareContext) => unknown)
  readonly timeout?: number | ((input: unknown) => unknown)
  touches?(input: unknown): unknown
  prepare?(input: unknown, context: PrepareContext): unknown
  /** One of `execute` and `steps` is there. */
  execute?(input: unknown, context: FolderContext): unknown
  steps?(input: unknown): unknown
}
