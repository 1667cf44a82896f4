import type { Storage } from '../../core/ports/storage.ts'
import type { Event } from '../../core/session/event.ts'
import { appendFirst } from './append-first.ts'

/** Which question an answer is for. */
export interface InputPlace {
  readonly session: string
  readonly call: string
  readonly input: string
  /** A cursor before the question. */
  readonly after: number
}

/** What giving an answer needs. */
export interface GiveParts {
  readonly storage: Pick<Storage, 'log'>
  /** Hands an event that is in the log already to the listeners of this process. */
  notify(event: Event): void
}

/** An answer to a question, or null where there is none; `by` says through which interface it came, or why there is none. */
export interface GivenInput {
  readonly answer: string | null
  readonly by: string
}

/** Appends an answer; false where another one was committed first. Rejects with UNAVAILABLE. */
export function giveInput(place: InputPlace, given: GivenInput, parts: GiveParts): Promise<boolean> {
  const { session, call, input, after } = place
  const isAnswer = (event: Event) => event.type === 'input-answer' && event.input === input
  return appendFirst({ type: 'input-answer', session, call, input, ...given }, { after, isAnswer }, parts)
}
