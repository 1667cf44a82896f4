import { messageOf } from '../../core/call/result.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { EventBody } from '../../core/session/event.ts'
import {
  type Delegate,
  type DelegateAnswer,
  type DelegateAsker,
  type DelegateEffect,
  type DelegateHandler,
  NOBODY_THERE,
} from '../../core/tool/delegate.ts'
import { makeDelegateId } from './delegate-queue.ts'

/** What asking the app needs: the app, and where request and answer are logged while the call runs. */
export interface AppParts {
  readonly delegate: Delegate | undefined
  readonly storage: Pick<Storage, 'log'>
  /** True where an app of another process may answer. */
  readonly wait: boolean | undefined
  emit(body: EventBody): void
  isOver(): boolean
}

/** Asks the app for something on behalf of a call: the apps of this process, then those of other processes where the call waits for them. Never rejects. */
export async function askApp(effect: DelegateEffect, asker: DelegateAsker, parts: AppParts): Promise<DelegateAnswer> {
  const { delegate, emit, isOver } = parts
  const { session, call } = asker
  const id = makeDelegateId(call)
  const after = parts.wait ? await parts.storage.log.end().catch(() => undefined) : undefined
  if (!isOver()) emit({ type: 'delegate-request', session, call, delegate: id, effect })
  const own = (await delegate?.(effect, asker)) ?? NOBODY_THERE
  if (own === NOBODY_THERE && delegate && after !== undefined) {
    const answer = await waitForOthers(id, { asker, after, parts })
    if (answer !== undefined) return answer
  }
  if (!isOver()) emit({ type: 'delegate-answer', session, call, delegate: id, answer: own })
  return own
}

interface OthersWait {
  readonly asker: DelegateAsker
  readonly after: number
  readonly parts: AppParts
}

/** Waits for the answer of an app in another process; undefined when nobody answers in time. */
async function waitForOthers(id: string, { asker, after, parts }: OthersWait): Promise<DelegateAnswer | undefined> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE)
  const signal = AbortSignal.any([late.signal, asker.signal])
  try {
    for await (const event of parts.storage.log.follow({ session: asker.session, after, signal }))
      if (event.type === 'delegate-answer' && event.delegate === id) return event.answer
  } catch {
    // A log that cannot be read tells of no answer.
  } finally {
    clearTimeout(timer)
  }
  return undefined
}

/** The time limit for the answer of an app, in milliseconds. */
const PATIENCE = 60_000

/** Asks one app after another until one handles the request, with a time limit for each. Never rejects. */
export function createDelegate(handlers: Iterable<DelegateHandler>): Delegate {
  return async (effect, asker) => {
    for (const handler of handlers) {
      const answered = await askOne(handler, effect, asker)
      if (answered !== undefined) return answered
    }
    return NOBODY_THERE
  }
}

async function askOne(
  handler: DelegateHandler,
  effect: DelegateEffect,
  asker: DelegateAsker,
): Promise<DelegateAnswer | undefined> {
  const late = Promise.withResolvers<DelegateAnswer>()
  const timer = setTimeout(() => late.resolve({ done: false, reason: 'the app did not answer' }), PATIENCE)
  const cancel = () => late.resolve({ done: false, reason: 'the call was cancelled' })
  asker.signal.addEventListener('abort', cancel, { once: true })
  try {
    if (asker.signal.aborted) cancel()
    return await Promise.race([handler(effect, asker), late.promise])
  } catch (thrown) {
    return { done: false, reason: messageOf(thrown) }
  } finally {
    clearTimeout(timer)
    asker.signal.removeEventListener('abort', cancel)
  }
}
