import type { Model } from '../../core/ports/model.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { EventBus } from '../event-bus.ts'
import type { HomeParts } from '../home-parts.ts'
import type { SendOptions } from './send-message.ts'

/** What the sessions of a home need to run their loops. */
export interface AgentParts {
  readonly haftHome: string
  readonly storage: Storage
  readonly secrets: readonly RegExp[]
  readonly bus: EventBus
  /** How to stop the runs of this process, by session. */
  readonly running: Map<string, AbortController>
  nextCallId(): string
  /** Opens the model of a run: the one that was asked for, that of the session, that of the settings, else `demo`. */
  openModel(options: SendOptions, ofSession: string | undefined): Promise<Model>
}

/** Makes them of what the hosts of a home share. */
export function createAgentParts({ haftHome, storage, secrets, bus, ids, models }: HomeParts): AgentParts {
  return {
    ...{ haftHome, storage, secrets, bus },
    running: new Map(),
    nextCallId: ids.next,
    async openModel({ model, record }, ofSession) {
      if (typeof model === 'object') return model
      const name = model ?? ofSession ?? models.selected() ?? 'demo'
      return models.open(name, record === undefined ? {} : { record })
    },
  }
}
