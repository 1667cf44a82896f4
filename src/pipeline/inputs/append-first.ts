import type { Storage } from '../../core/ports/storage.ts'
import type { Event, EventBody } from '../../core/session/event.ts'

/** Which events compete with the one that is appended. */
export interface Rivals {
  /** A cursor before all of them. */
  readonly after: number
  isAnswer(event: Event): boolean
}

interface AppendParts {
  readonly storage: Pick<Storage, 'log'>
  notify(event: Event): void
}

/** Appends an answer that counts only if no other was committed before it; false where one was. Several processes may do so at once, and all agree on which is first, since commits have one order. Rejects with UNAVAILABLE. */
export async function appendFirst(
  body: EventBody,
  { after, isAnswer }: Rivals,
  { storage, notify }: AppendParts,
): Promise<boolean> {
  const { log } = storage
  const findFirst = async () => (await log.read({ session: body.session, after })).find(isAnswer)
  if (await findFirst()) return false
  const event = log.append(body)
  await log.flush()
  if ((await findFirst())?.id !== event.id) return false
  notify(event)
  return true
}
