import type { ApprovalRecord } from '../core/approval-record.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { CallSite } from '../pipeline/approval-queue.ts'
import type { Desk } from '../pipeline/give-answer.ts'
import type { SettingsFile } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { Trust } from '../settings/trust.ts'
import type { CallIds } from './call-ids.ts'
import type { EventBus } from './event-bus.ts'
import type { HomeOptions } from './home.ts'
import type { Host } from './host.ts'
import type { Models } from './models/models.ts'

/** What the hosts of a home share. */
export interface HomeParts {
  readonly options: HomeOptions
  /** Haft's own folder, also where nothing is read from it. */
  readonly haftHome: string
  /** The user's settings file, where there is a home. */
  readonly user: SettingsFile | undefined
  readonly settings: Settings
  readonly models: Models
  readonly storage: Storage
  readonly desk: Desk
  readonly trust: Trust
  readonly bus: EventBus
  readonly ids: CallIds
}

/** A host that is open, with what only its home may do. */
export interface OpenedHost {
  readonly host: Omit<Host, 'close'>
  /** How many have opened it and not closed it. */
  users: number
  /** True while a call or task is under way. */
  readonly isBusy: boolean
  /** Where a call that waits for an answer can run; undefined where its tool is not here. */
  siteOf(record: ApprovalRecord): CallSite | undefined
  /** Cancels what runs and closes what the host opened. May be called twice. */
  closeParts(): Promise<void>
}
