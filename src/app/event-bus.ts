import type { Log } from '../core/ports/log.ts'
import type { Event, EventBody, Listener } from '../core/session/event.ts'
import { guardListener } from '../pipeline/guard-listener.ts'

/** Passes events to the listeners of this process, before they are committed. All hosts of a home share one bus. */
export interface EventBus {
  /** Appends an event to the log and passes it to every listener. Returns it as the log has it, with its secrets masked. */
  emit(body: EventBody): Event
  /** Passes on an event that is already in the log. */
  notify(event: Event): void
  /** Adds a listener. Returns a function that removes it. If a listener throws or rejects, a warning is printed and nobody else is affected. */
  on(listener: Listener): () => void
}

/** Makes the event bus of a log. */
export function createEventBus(log: Pick<Log, 'append'>): EventBus {
  const listeners = new Map<Listener, Listener>()
  let listening: readonly Listener[] = []
  const notify = (event: Event): void => {
    for (const listener of listening) listener(event)
  }
  return {
    emit(body) {
      const event = log.append(body)
      notify(event)
      return event
    },
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
