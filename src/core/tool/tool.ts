import type { Answer } from '../call/result.ts'
import type { Alias } from './alias.ts'
import type { PrepareContext, ToolContext } from './context.ts'
import type { Steps } from './pipeline.ts'
import type { Prepared } from './prepared.ts'
import type { AnySchema, SchemaInput, SchemaOutput } from './schema.ts'
import type { Touch } from './touch.ts'

/** The worst a tool can do, from harmless to far-reaching. */
export const EFFECTS = ['none', 'read', 'write', 'run', 'network'] as const
export type Effect = (typeof EFFECTS)[number]

type MaybePromise<T> = T | Promise<T>

/** One tool: a frozen plain object. Members are methods, so that `Tool<{path}>` is assignable to `Tool<unknown>`. */
export interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** Other names that a call may use, with default arguments; never offered to a model. */
  readonly aliases?: readonly (string | Alias)[]
  readonly input: AnySchema
  /** Other names of arguments, which a call is repaired from; upper case, `_` and `-` do not count. Never offered to a model. */
  readonly argumentAliases?: Readonly<Record<string, readonly string[]>>
  readonly output?: AnySchema
  readonly effect: Effect
  /** The main parameter, used by filters and short listings. */
  readonly main?: string
  /** True for a control tool: offered whenever any tool is, and not part of a selection. */
  readonly control?: boolean
  /** A call of this tool ends the agent's run. */
  readonly endsRun?: boolean
  /** An approved call of this tool takes its session out of the mode plan. */
  readonly leavesPlanMode?: boolean
  /** Offers `background` to models although it runs no program and reaches no network itself. */
  readonly mayTakeLong?: boolean
  /** Only people call it, never a model: modes, and rules on writes and deletes, do not count for it. */
  readonly personal?: boolean
  /** Running it twice has the same effect as running it once. */
  readonly idempotent?: boolean
  /** Comes before the text of INVALID_ARGUMENTS, in the words of the tool's language: `TypeError: `. */
  readonly invalidPrefix?: string
  /** Its time limit in seconds; 60 when left out. */
  timeout?(input: Input): number
  /** What this call would touch. */
  touches?(input: Input): MaybePromise<readonly Touch[]>
  /** Whether this call needs approval, if no rule decides. */
  approval?(input: Input, context: PrepareContext): MaybePromise<boolean>
  /** Checks that the call can work and makes the preview. May read, not write. */
  prepare?(input: Input, context: PrepareContext): MaybePromise<Prepared | undefined>
  /** Shows what the call would do, by running it without applying anything. May throw. */
  dryRun?(input: Input, context: PrepareContext): MaybePromise<Answer<Output>>
  /** Runs the call. Returns data, or `answer(text, data)`. May throw. */
  execute?(input: Input, context: ToolContext): MaybePromise<Output | Answer<Output>>
  /** The steps of this call, instead of `prepare` and `execute`. */
  steps?(input: Input): MaybePromise<Steps<Output | Answer<Output>>>
}

/** A tool has either `execute` or `steps`. */
type Work<Input, Output> =
  | (Required<Pick<Tool<Input, Output>, 'execute'>> & Pick<Tool<Input>, 'prepare'> & { readonly steps?: never })
  | (Required<Pick<Tool<Input, Output>, 'steps'>> & { readonly execute?: never; readonly prepare?: never })

/** The type that a tool returns: unknown if it has no output schema. */
type Returned<Out> = Out extends AnySchema ? SchemaInput<Out> : unknown

/** A tool as its author writes it: `approval` may be a plain boolean, `timeout` a plain number. */
export type ToolSpec<In extends AnySchema, Out extends AnySchema | undefined> = Omit<
  Tool<SchemaOutput<In>, Returned<Out>>,
  'input' | 'output' | 'approval' | 'timeout' | 'prepare' | 'execute' | 'steps'
> & {
  readonly input: In
  readonly output?: Out
  readonly approval?: boolean | Tool<SchemaOutput<In>>['approval']
  /** Seconds; 60 when left out. */
  readonly timeout?: number | Tool<SchemaOutput<In>>['timeout']
} & Work<SchemaOutput<In>, Returned<Out>>

/** A tool that remembers its input schema, so that callers can name the type of its arguments: `SchemaInput<typeof tool.input>`. */
export type DefinedTool<In extends AnySchema, Out extends AnySchema | undefined> = Tool<
  SchemaOutput<In>,
  Returned<Out>
> & { readonly input: In }

/** The type of the arguments that a caller passes to a tool. Unknown if the schema is plain JSON Schema. */
export type ToolInput<T extends Tool> = SchemaInput<T['input']>

/** The type of the data that a tool returns. Unknown if it has no output schema. */
export type ToolOutput<T extends Tool> = T extends Tool<infer _Input, infer Output> ? Output : unknown

/** Makes a tool: fixes its types from its schemas and freezes it. */
export function defineTool<In extends AnySchema, Out extends AnySchema | undefined = undefined>(
  spec: ToolSpec<In, Out>,
): DefinedTool<In, Out> {
  const { approval, timeout } = spec
  const made = {
    ...spec,
    ...(typeof approval === 'boolean' && { approval: () => approval }),
    ...(typeof timeout === 'number' && { timeout: () => timeout }),
  }
  return Object.freeze(made as DefinedTool<In, Out>)
}
