import type { Model } from '../../core/ports/model.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { Parts } from '../../pipeline/request.ts'
import type { CallStarter } from '../calls/call-starter.ts'
import { followOrder } from '../calls/order-calls.ts'
import type { EventBus } from '../event-bus.ts'
import type { HomeParts } from '../home-parts.ts'
import { type ActiveRun, createStopFollower, type StopFollower } from './follow-stops.ts'
import type { SendOptions } from './send-options.ts'

/** What the sessions of a home need to run their loops. */
export interface AgentParts {
  readonly haftHome: string
  readonly storage: Storage
  readonly masker: Masker
  readonly bus: EventBus
  /** The runs under way in this process, by session. */
  readonly running: Map<string, ActiveRun>
  /** Stops them when somebody asks for it, in whatever process. */
  readonly stops: StopFollower
  /** The sessions that are known to have begun. */
  readonly sessions: Parts['sessions']
  nextCallId(): string
  /** The limit of steps of a run that names none. */
  maxSteps(): number
  /** Starts several calls, one right after the other. */
  startTogether: CallStarter['startTogether']
  /** Stops the runs under way. */
  close(): void
  /** Opens the model of a run: the one that was asked for, that of the session, that of the settings, else `demo`. */
  openModel(options: SendOptions, ofSession?: string): Promise<Model>
}

/** Makes them from what the hosts of a home share, and the masker, sessions and calls of one host. */
export function createAgentParts(
  home: HomeParts,
  { masker, sessions }: Pick<Parts, 'masker' | 'sessions'>,
  starter: Pick<CallStarter, 'startTogether' | 'find'>,
): AgentParts {
  const { haftHome, storage, bus, ids, models, live } = home
  const running = new Map<string, ActiveRun>()
  const stops = createStopFollower(storage.log, running, (order) => followOrder(order, starter))
  return {
    ...{ haftHome, storage, masker, bus, sessions, running, stops },
    nextCallId: ids.next,
    maxSteps: () => live.now().run.maxSteps,
    startTogether: starter.startTogether,
    close() {
      for (const { stop } of running.values()) stop.abort()
      stops.close()
    },
    async openModel({ model, record }, ofSession) {
      if (typeof model === 'object') return model
      const name = model ?? ofSession ?? models.selected() ?? 'demo'
      return models.open(name, record === undefined ? {} : { record })
    },
  }
}
