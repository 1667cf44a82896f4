import type { DelegateHandler } from '../core/delegate.ts'
import type { EventBody, Listener } from '../core/event.ts'
import type { Store } from '../core/store.ts'
import { createDelegate } from '../pipeline/ask-app.ts'
import { BackgroundCalls } from '../pipeline/background-calls.ts'
import { guardListener } from '../pipeline/guard-listener.ts'
import { hearCancels } from '../pipeline/hear-cancels.ts'
import type { Parts } from '../pipeline/request.ts'
import { createTasks } from '../pipeline/task-log.ts'

/** What calls meet on their way, and how to listen in. */
export interface Corridor {
  readonly parts: Parts
  on(listener: Listener): () => void
  onDelegate(handler: DelegateHandler): () => void
}

/** Joins what a host is made of with what only calls need: events, tasks, and the apps they may ask. */
export function openCorridor(built: Omit<Parts, 'delegate' | 'background' | 'tasks' | 'emit'>): Corridor {
  const { store } = built
  const listeners = new Map<Listener, Listener>()
  let listening: readonly Listener[] = []
  const apps = new Set<DelegateHandler>()
  const emit = emitter(store, () => listening)
  const background = new BackgroundCalls(hearCancels(store))
  const tasks = createTasks({ store, background, emit })
  return {
    parts: { ...built, delegate: createDelegate(apps), background, tasks, emit },
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
    onDelegate(handler) {
      apps.add(handler)
      return () => apps.delete(handler)
    },
  }
}

/** Appends an event and hands it to the listeners, which are guarded. */
function emitter(store: Store, listening: () => readonly Listener[]): (body: EventBody) => void {
  return (body) => {
    const event = store.append(body)
    for (const listener of listening()) listener(event)
  }
}
