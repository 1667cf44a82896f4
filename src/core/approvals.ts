import type { Preview } from './tool.ts'

/** What a person is asked. */
export interface Question {
  readonly approval: string
  readonly call: string
  readonly session: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the call would touch, in words. */
  readonly effects: readonly string[]
  readonly rule: string
  readonly reason: string
  readonly preview?: Preview
}

/** What a person answered; `modifiedArgs` go through every room again. */
export type Reply =
  | { readonly approved: true; readonly modifiedArgs?: unknown }
  | { readonly approved: false; readonly reason?: string }

/** Someone who can be asked. Resolves once; rejects only when it breaks, which denies. */
export interface Approvals {
  ask(question: Question, signal: AbortSignal): Promise<Reply>
}
