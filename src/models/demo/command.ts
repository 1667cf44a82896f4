import type { ToolDefinition } from '../../core/ports/model.ts'

/** One tool call that a sentence asks for. */
export interface DemoStep {
  /** The tools that can do it, the best first. */
  readonly tools: readonly string[]
  /** What is about to happen, after "I will": `list src`. */
  readonly intent: string
  /** What happened, for the summary: `listed src`. */
  readonly done: string
  /** The arguments of the call; the definition is that of the tool that is offered. */
  argumentsFor(tool: ToolDefinition): Readonly<Record<string, unknown>>
  /** Says in a sentence what a result that is no failure means. */
  report(content: string): string
}

/** One command of the grammar. */
export interface DemoCommand {
  /** The words it may begin with; the first is its name. */
  readonly verbs: readonly string[]
  /** Shown by `help`: how it is written, and what it does. */
  readonly form: string
  readonly does: string
  readonly example: string
  /** Reads what follows the verb; undefined where it is not of this form. */
  read(rest: string, verb: string): DemoStep | undefined
}

/** Makes a step that calls one tool with fixed arguments. */
export function makeStep(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  words: Pick<DemoStep, 'intent' | 'done' | 'report'>,
): DemoStep {
  return { tools: [tool], argumentsFor: () => given, ...words }
}
