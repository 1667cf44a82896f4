import { messageOf } from '../../core/call/result.ts'
import {
  type Delegate,
  type DelegateAnswer,
  type DelegateAsker,
  type DelegateEffect,
  type DelegateHandler,
  NOBODY_THERE,
} from '../../core/tool/delegate.ts'

/** How long an app has for its answer, in milliseconds. */
const PATIENCE = 60_000

/** Asks one app after another until one does it. Never rejects, and waits for each only so long. */
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
