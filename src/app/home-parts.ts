import type { Storage } from '../core/ports/storage.ts'
import type { Parts } from '../pipeline/request.ts'
import type { SettingsFile } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { Trust } from '../settings/trust.ts'
import type { CallIds } from './calls/call-ids.ts'
import type { EventBus } from './event-bus.ts'
import type { HomeOptions } from './home-options.ts'
import type { Models } from './models/models.ts'

/** The parts that all hosts of a home share. */
export interface HomeParts extends Pick<Parts, 'grants' | 'secrets' | 'expireMinutes'> {
  readonly options: HomeOptions
  /** Haft's own folder, also if no home was given. */
  readonly haftHome: string
  /** The user's settings file, if a home was given. */
  readonly user: SettingsFile | undefined
  readonly settings: Settings
  readonly models: Models
  readonly storage: Storage
  readonly trust: Trust
  readonly bus: EventBus
  readonly ids: CallIds
}
