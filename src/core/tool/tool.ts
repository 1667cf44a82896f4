import type { Answer } from '../call/result.ts'
import type { Alias } from './alias.ts'
import type { PrepareContext, ToolContext } from './context.ts'
import type { Plan } from './pipeline.ts'
import type { Prepared } from './prepared.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from './schema.ts'
import type { Touch } from './touch.ts'

/** The worst a tool can do, from harmless to far-reaching. */
export const EFFECTS = ['none', 'read', 'write', 'run', 'network'] as const
export type Effect = (typeof EFFECTS)[number]

type MaybePromise<T> = T | Promise<T>

/** One tool: a frozen plain object. Members are methods, so that `Tool<{path}>` fits `Tool<unknown>`. */
export interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** Other names a call may use, and what they preset; never offered to a model. */
  readonly aliases?: readonly (string | Alias)[]
  readonly input: AnySchema
  readonly output?: AnySchema
  readonly effect: Effect
  /** The parameter that filters and short listings speak of. */
  readonly main?: string
  /** Offered whenever any tool is, and never picked in a selection: what a session needs to work at all. */
  readonly control?: boolean
  /** A call of this tool ends the agent's run. */
  readonly endsRun?: boolean
  /** Only people call it, never a model: modes, and rules on writes and deletes, do not count for it. */
  readonly personal?: boolean
  /** Running it twice does no more than running it once. */
  readonly idempotent?: boolean
  /** Seconds it may run, where it is not 60. */
  timeout?(input: Input): number
  /** What this very call would touch. */
  touches?(input: Input): MaybePromise<readonly Touch[]>
  /** Whether this very call should be asked about, where no rule speaks. */
  approval?(input: Input, context: PrepareContext): MaybePromise<boolean>
  /** Checks that it can work and makes the preview; reads, never writes. */
  prepare?(input: Input, context: PrepareContext): MaybePromise<Prepared | undefined>
  /** Shows what it would do, by doing it where nothing is applied; may throw. */
  dryRun?(input: Input, context: PrepareContext): MaybePromise<Answer<Output>>
  /** Does it; returns data, or `answer(text, data)`; may throw. */
  execute?(input: Input, context: ToolContext): MaybePromise<Output | Answer<Output>>
  /** In place of `prepare` and `execute`: the phases of this very call. */
  steps?(input: Input): Plan<Output | Answer<Output>>
}

/** A tool does its work in one go, or in steps. */
type Work<Input, Output> =
  | (Required<Pick<Tool<Input, Output>, 'execute'>> & Pick<Tool<Input>, 'prepare'> & { readonly steps?: never })
  | (Required<Pick<Tool<Input, Output>, 'steps'>> & { readonly execute?: never; readonly prepare?: never })

/** What a tool returns: unknown where it has no output schema. */
type Returned<Out> = Out extends AnySchema ? SchemaInput<Out> : unknown

/** A tool as its author writes it: `approval` may be a plain boolean. */
export type ToolSpec<In extends AnySchema, Out extends AnySchema | undefined> = Omit<
  Tool<SchemaOutput<In>, Returned<Out>>,
  'input' | 'output' | 'approval' | 'prepare' | 'execute' | 'steps'
> & {
  readonly input: In
  readonly output?: Out
  readonly approval?: boolean | Tool<SchemaOutput<In>>['approval']
} & Work<SchemaOutput<In>, Returned<Out>>

/** A tool that remembers its input schema, so that callers can name the type of its arguments: `SchemaInput<typeof tool.input>`. */
export type DefinedTool<In extends AnySchema, Out extends AnySchema | undefined> = Tool<
  SchemaOutput<In>,
  Returned<Out>
> & { readonly input: In }

/** Makes a tool: fixes its types from its schemas and freezes it. */
export function defineTool<In extends AnySchema, Out extends AnySchema | undefined = undefined>(
  spec: ToolSpec<In, Out>,
): DefinedTool<In, Out> {
  const { approval } = spec
  const made = typeof approval === 'boolean' ? { ...spec, approval: () => approval } : { ...spec }
  return Object.freeze(made as DefinedTool<In, Out>)
}
