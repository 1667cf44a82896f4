import type { Log } from '../core/ports/log.ts'
import type { Event, EventBody, Listener } from '../core/session/event.ts'
import { guardListener } from '../pipeline/guard-listener.ts'

/** Hands events to the listeners of this process, before they are committed. One for all hosts of a home. */
export interface EventBus {
  /** Appends an event to the log and hands it to every listener. */
  emit(body: EventBody): void
  /** Hands on an event that is in the log already. */
  notify(event: Event): void
  /** Returns how to stop. A listener that throws, or rejects, is warned about and harms nobody. */
  on(listener: Listener): () => void
}

/** Makes the bus of a log. */
export function createEventBus(log: Pick<Log, 'append'>): EventBus {
  const listeners = new Map<Listener, Listener>()
  let listening: readonly Listener[] = []
  const notify = (event: Event): void => {
    for (const listener of listening) listener(event)
  }
  return {
    emit: (body) => notify(log.append(body)),
    notify,
    on(listener) {
      if (!listeners.has(listener))
        listeners.set(
          listener,
          guardListener(listener, ({ type }) => type),
        )
      listening = [...listeners.values()]
      return () => {
        listeners.delete(listener)
        listening = [...listeners.values()]
      }
    },
  }
}
