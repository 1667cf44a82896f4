import type { Failure } from '../call/result.ts'

/** A file that a tool asks the app to open. */
export interface OpenEffect {
  readonly kind: 'open'
  readonly path: string
  readonly line?: number
  readonly column?: number
}

/** Something that a tool asks the app to do. */
export type DelegateEffect =
  | OpenEffect
  | { readonly kind: 'show-diff'; readonly path: string; readonly diff: string }
  | { readonly kind: 'close'; readonly path: string }
  | { readonly kind: 'notify'; readonly text: string }

/** The answer of the app. A tool that gets `done: false` continues. */
export type DelegateAnswer =
  | { readonly done: true; readonly text?: string }
  | { readonly done: false; readonly reason: string }

/** The call that asks the app, and the signal that ends the wait for its answer. */
export interface DelegateAsker {
  readonly workspace: string
  readonly session: string
  readonly call: string
  readonly signal: AbortSignal
}

/** Handles requests in an app. */
export interface DelegateHandler {
  /** Returns undefined for a request that the app does not handle. If it throws, the tool gets the reason. */
  (effect: DelegateEffect, asker: DelegateAsker): DelegateAnswer | undefined | Promise<DelegateAnswer | undefined>
  /** Names the program that would open a file, for the approval. Throws ToolError where the app would not open it. */
  opener?(effect: OpenEffect, workspace: string): string
}

/** Asks the connected apps. Never rejects. */
export type Delegate = (effect: DelegateEffect, asker: DelegateAsker) => Promise<DelegateAnswer>

/** The answer if no app is connected. */
export const NOBODY_THERE: DelegateAnswer = Object.freeze({
  done: false,
  reason: 'there is no app here that could do it',
})

/** A request to the app that waits for its answer. */
export interface OpenDelegate {
  readonly delegate: string
  readonly session: string
  readonly call: string
  readonly effect: DelegateEffect
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

/** What front ends answer requests to the app with; every process of one home sees the same ones. */
export interface DelegateQueue {
  /** Each request that waits, the oldest first. */
  list(): Promise<readonly OpenDelegate[]>
  /** Answers a request; the first answer that is committed counts, a later one is a CONFLICT. Never throws. */
  answer(id: string, answer: DelegateAnswer): Promise<{ readonly ok: true } | Failure>
}
