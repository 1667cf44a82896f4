import type { Storage } from '../../core/ports/storage.ts'
import type { Event } from '../../core/session/event.ts'

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

/** The answers of one question, in the order of commits: the first one counts. */
async function readAnswers({ session, input, after }: InputPlace, { storage }: GiveParts): Promise<readonly Event[]> {
  const events = await storage.log.read({ session, after })
  return events.filter((event) => event.type === 'input-answer').filter((event) => event.input === input)
}

/** Appends an answer; false where another one was committed first. Several processes may do so at once, and all agree on which is first, since commits have one order. Rejects with UNAVAILABLE. */
export async function giveInput(place: InputPlace, given: GivenInput, parts: GiveParts): Promise<boolean> {
  if ((await readAnswers(place, parts)).length > 0) return false
  const { session, call, input } = place
  const { log } = parts.storage
  const event = log.append({ type: 'input-answer', session, call, input, ...given })
  await log.flush()
  const [first] = await readAnswers(place, parts)
  if (first?.id !== event.id) return false
  parts.notify(event)
  return true
}
