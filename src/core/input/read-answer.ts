import { failure, type Result } from '../call/result.ts'
import type { InputAnswer } from './input.ts'

/** `by` of an answer that is null: why there is none. */
export const NOBODY = 'nobody'
export const EXPIRY = 'expiry'
export const CANCELLED = 'cancelled'

/** Why a question has no answer, in words for the model. */
const REASONS: Readonly<Record<string, string>> = {
  [NOBODY]: 'there is nobody to ask here',
  [EXPIRY]: 'nobody answered in time',
  [CANCELLED]: 'the call was cancelled while it waited for the answer',
}

/** Reads an `input-answer` event. */
export function readAnswer({ answer, by }: { readonly answer: unknown; readonly by: string }): InputAnswer {
  if (typeof answer === 'string') return { answered: true, answer, by }
  return { answered: false, reason: REASONS[by] ?? 'there was no answer' }
}

/** The result of a call whose whole work is to ask. */
export function resultOfAnswer(given: InputAnswer): Result {
  if (given.answered) return { ok: true, text: given.answer, data: { answer: given.answer, by: given.by } }
  const text = `The user did not answer: ${given.reason}. Decide yourself and say what you assumed.`
  return failure('UNAVAILABLE', text)
}
