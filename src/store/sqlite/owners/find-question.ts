import type { DatabaseSync } from 'node:sqlite'
import type { Result } from '../../../core/call/result.ts'
import { EXPIRY, readAnswer, resultOfAnswer } from '../../../core/input/read-answer.ts'
import type { Event } from '../../../core/session/event.ts'
import { readEvents } from '../read/read-events.ts'

/** A question whose answer is the result of its call. */
export interface Question {
  readonly openUntil: number
  /** The answer that counts; undefined while there is none. */
  readonly answer: Extract<Event, { type: 'input-answer' }> | undefined
}

/** Finds the question that a call waits for, if its answer is the result of the call. */
export function findQuestion(
  database: DatabaseSync,
  of: { readonly session: string; readonly call: string },
): Question | undefined {
  const events = readEvents(database, of)
  const asked = events.findLast((event) => event.type === 'input-request')
  if (asked?.openUntil === undefined) return undefined
  const answer = events.find((event) => event.type === 'input-answer' && event.input === asked.input)
  return { openUntil: asked.openUntil, answer: answer?.type === 'input-answer' ? answer : undefined }
}

/** The result of the call once its question is answered or nobody answered in time; undefined before. */
export function answerOf({ openUntil, answer }: Question, now: number): Result | undefined {
  if (answer) return resultOfAnswer(readAnswer(answer))
  return openUntil > now ? undefined : resultOfAnswer(readAnswer({ answer: null, by: EXPIRY }))
}
