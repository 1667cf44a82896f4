import { type Failure, failure, type Result } from '../call/result.ts'
import type { ToolContext } from './context.ts'
import type { DelegateAnswer, DelegateEffect } from './delegate.ts'
import type { Prepared } from './prepared.ts'

/** Continues; the value is passed to the next step. */
export interface Next<Value> {
  readonly step: 'next'
  readonly value: Value
  readonly seen: Prepared | undefined
}

/** Sets the result of the call, unless a later step sets another, and continues. The value is passed to the next step. */
export interface Output<Value> {
  readonly step: 'output'
  readonly value: Value
}

/** Asks the app to do something and continues. Its answer is passed to the next step. */
export interface Delegated {
  readonly step: 'delegate'
  readonly effect: DelegateEffect
}

/** What a step returns. */
export type StepAnswer = Next<unknown> | Output<unknown> | Delegated | Failure

/** What the next step is passed. */
export type Handed<Answered> =
  Answered extends Next<infer Value>
    ? Value
    : Answered extends Output<infer Value>
      ? Value
      : Answered extends Delegated
        ? DelegateAnswer
        : never

type OutputOf<Answered> = Answered extends Output<infer Value> ? Value : never

/** One step: a function, or an async generator whose yields are streamed. May throw. */
export type Step<Value, Answered extends StepAnswer> = (
  value: Value,
  context: ToolContext,
) => Answered | Promise<Answered> | AsyncGenerator<string, Answered>

/** Runs at the end, however the call ended. It has its own context, which is neither cancelled nor timed out. */
export type Cleanup = (result: Result, context: ToolContext) => unknown

/** A step of any type. What it is passed is only known to the types of the pipeline. */
export interface AnyStep {
  run(value: unknown, context: ToolContext): unknown
}

declare const RESULT: unique symbol

/** The steps of one call, as values. */
export interface Steps<Result = unknown> {
  readonly steps: readonly AnyStep[]
  /** How many steps are before the approval point. If undefined, there is none and all steps run after the commit point. */
  readonly approvalAt: number | undefined
  readonly cleanups: readonly Cleanup[]
  readonly [RESULT]?: Result
}

/** Builds a plan. Each method returns a new pipeline. */
export interface Pipeline<Value, Result> extends Steps<Result> {
  /** Adds a step. A step before the approval point may read and preview, but not change anything. */
  step<Answered extends StepAnswer>(
    step: Step<Value, Answered>,
  ): Pipeline<Handed<Answered>, Result | OutputOf<Answered>>
  /** Marks the point where a person is asked, unless a rule or a grant decides. Throws if there already is one. */
  approval(): Pipeline<Value, Result>
  /** Adds a cleanup that runs at the end: after success, deny, error, cancel or time limit. An error in it is logged and does not change the result. */
  finally(cleanup: Cleanup): Pipeline<Value, Result>
}

/** Returns an empty pipeline. Its first step is passed undefined. */
export function pipeline(): Pipeline<undefined, never> {
  return extend({ steps: [], approvalAt: undefined, cleanups: [] })
}

function extend<Value, Result>(plan: Steps<Result>): Pipeline<Value, Result> {
  const { steps, approvalAt, cleanups } = plan
  return Object.freeze({
    ...plan,
    step: <Answered extends StepAnswer>(step: Step<Value, Answered>) =>
      extend<Handed<Answered>, Result | OutputOf<Answered>>({
        steps: [...steps, { run: step }],
        approvalAt,
        cleanups,
      }),
    approval() {
      if (approvalAt !== undefined) throw new Error('a pipeline has one approval point')
      return extend<Value, Result>({ ...plan, approvalAt: steps.length })
    },
    finally: (cleanup: Cleanup) => extend<Value, Result>({ ...plan, cleanups: [...cleanups, cleanup] }),
  })
}

/** Continues with a value for the next step; before the approval point also with the preview and `expects`. */
export function next(): Next<undefined>
export function next<Value>(value: Value, seen?: Prepared): Next<Value>
export function next(value?: unknown, seen?: Prepared): Next<unknown> {
  return { step: 'next', value, seen }
}

/** Sets the result, a plain value or one made by `answer`, and continues. */
export function output<Value>(value: Value): Output<Value> {
  return { step: 'output', value }
}

/** Asks the app and continues with its answer. */
export function delegate(effect: DelegateEffect): Delegated {
  return { step: 'delegate', effect }
}

/** Ends the pipeline with a failure. */
export const fail: (...given: Parameters<typeof failure>) => Failure = failure
