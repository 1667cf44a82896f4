import type { Failure } from '../call/result.ts'

/** What a person is asked in words. */
export interface InputQuestion {
  readonly question: string
  /** Answers to choose from; a person may also write another one. */
  readonly options?: readonly string[]
  /** True where the answer is the result of the call: such a question outlives the process that asked. */
  readonly isResult?: true
}

/** What came of it. */
export type InputAnswer =
  | { readonly answered: true; readonly answer: string; readonly by: string }
  | { readonly answered: false; readonly reason: string }

/** A question that waits for its answer. */
export interface OpenInput extends InputQuestion {
  readonly input: string
  readonly session: string
  readonly call: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

/** What front ends answer questions with; every process of one home sees the same ones. */
export interface InputQueue {
  /** Each question that waits, the oldest first. */
  list(): Promise<readonly OpenInput[]>
  /** Answers a question; the first answer that is committed counts, a later one is a CONFLICT. `by` names the interface. Never throws. */
  answer(id: string, answer: string, by?: string): Promise<{ readonly ok: true } | Failure>
}
