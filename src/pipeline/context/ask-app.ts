import { messageOf } from '../../core/call/result.ts'
import type { EventBody } from '../../core/session/event.ts'
import {
  type Delegate,
  type DelegateAnswer,
  type DelegateAsker,
  type DelegateEffect,
  type DelegateHandler,
  NOBODY_THERE,
} from '../../core/tool/delegate.ts'

/** What asking the app needs: the app, and where request and answer are logged while the call runs. */
export interface AppParts {
  readonly delegate: Delegate | undefined
  emit(body: EventBody): void
  isOver(): boolean
}

/** Asks the app for something on behalf of a call. Never rejects. */
export async function askApp(
  effect: DelegateEffect,
  asker: DelegateAsker,
  { delegate, emit, isOver }: AppParts,
): Promise<DelegateAnswer> {
  const { session, call } = asker
  const id = `d_${crypto.randomUUID().slice(0, 8)}`
  if (!isOver()) emit({ type: 'delegate-request', session, call, delegate: id, effect })
  const answer = (await delegate?.(effect, asker)) ?? NOBODY_THERE
  if (!isOver()) emit({ type: 'delegate-answer', session, call, delegate: id, answer })
  return answer
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
