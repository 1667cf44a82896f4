import { type Failure, failure, type Result } from '../call/result.ts'
import type { ToolContext } from './context.ts'
import type { DelegateAnswer, DelegateEffect } from './delegate.ts'
import type { Prepared } from './prepared.ts'

/** Go on; the value reaches the next step. */
export interface Next<Value> {
  readonly step: 'next'
  readonly value: Value
  readonly seen: Prepared | undefined
}

/** This is the call's result, unless a later step gives another; go on, the value reaches the next step. */
export interface Output<Value> {
  readonly step: 'output'
  readonly value: Value
}

/** Let the app do this; go on, its answer reaches the next step. */
export interface Delegated {
  readonly step: 'delegate'
  readonly effect: DelegateEffect
}

/** What a step answers. */
export type StepAnswer = Next<unknown> | Output<unknown> | Delegated | Failure

/** What the step after it is handed. */
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

/** What is done at the end, however the call ended. Its context is its own: neither cancelled nor out of time yet. */
export type Cleanup = (result: Result, context: ToolContext) => unknown

/** A step among others: what it is handed is known to the pipeline's types alone. */
export interface AnyStep {
  run(value: unknown, context: ToolContext): unknown
}

declare const RESULT: unique symbol

/** The steps of one call, as values. */
export interface Plan<Result = unknown> {
  readonly steps: readonly AnyStep[]
  /** How many of them lie before the approval point; undefined where there is none, and then all run after the line. */
  readonly approvalAt: number | undefined
  readonly cleanups: readonly Cleanup[]
  readonly [RESULT]?: Result
}

/** A plan that can be added to. Each addition makes a new one. */
export interface Pipeline<Value, Result> extends Plan<Result> {
  /** Adds a step. Before the approval point it may look and show, never change. */
  step<Answered extends StepAnswer>(
    step: Step<Value, Answered>,
  ): Pipeline<Handed<Answered>, Result | OutputOf<Answered>>
  /** The point where a person is asked, unless a rule or a grant has answered. Throws where there is one already. */
  approval(): Pipeline<Value, Result>
  /** Runs at the end: success, deny, error, cancel, time limit. What it throws is logged and changes no result. */
  finally(cleanup: Cleanup): Pipeline<Value, Result>
}

/** An empty pipeline; its first step is handed undefined. */
export function pipeline(): Pipeline<undefined, never> {
  return extend({ steps: [], approvalAt: undefined, cleanups: [] })
}

function extend<Value, Result>(plan: Plan<Result>): Pipeline<Value, Result> {
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

/** Goes on, with a value for the next step; before the approval point also with what was seen: preview and `expects`. */
export function next(): Next<undefined>
export function next<Value>(value: Value, seen?: Prepared): Next<Value>
export function next(value?: unknown, seen?: Prepared): Next<unknown> {
  return { step: 'next', value, seen }
}

/** Sets the result, plain or made by `answer`, and goes on. */
export function output<Value>(value: Value): Output<Value> {
  return { step: 'output', value }
}

/** Asks the app and goes on with its answer. */
export function delegate(effect: DelegateEffect): Delegated {
  return { step: 'delegate', effect }
}

/** Ends the pipeline with a failure. */
export const fail: (...given: Parameters<typeof failure>) => Failure = failure
