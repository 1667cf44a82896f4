import type { Storage } from '../core/ports/storage.ts'
import type { Parts } from '../pipeline/request.ts'
import type { SettingsFile } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { Trust } from '../settings/trust.ts'
import type { CallIds } from './calls/call-ids.ts'
import type { EventBus } from './event-bus.ts'
import type { HomeOptions } from './home-options.ts'
import type { OpenedMcpServers } from './mcp/mcp-servers.ts'
import type { Models } from './models/models.ts'
import type { LiveSettings } from './open/live-settings.ts'
import type { ToolFolders } from './open/managed-folders.ts'
import type { ManagedRules } from './open/managed-rules.ts'
import type { HomeMasker } from './secrets/home-masker.ts'

/** The parts that all hosts of a home share. */
export interface HomeParts extends Pick<Parts, 'grants' | 'expireMinutes'> {
  readonly options: HomeOptions
  /** Haft's own folder, also if no home was given. */
  readonly haftHome: string
  /** The user's settings file, if a home was given. */
  readonly user: SettingsFile | undefined
  /** The settings at the start. */
  readonly settings: Settings
  /** The settings that count now. */
  readonly live: LiveSettings
  /** The rules that commands and pages have added. */
  readonly managed: ManagedRules
  /** The folders with tools of the person's own. */
  readonly toolFolders: ToolFolders
  readonly models: Models
  readonly mcp: OpenedMcpServers
  readonly storage: Storage
  readonly trust: Trust
  readonly bus: EventBus
  readonly ids: CallIds
  /** Masks the secrets of every workspace that is open. */
  readonly masker: HomeMasker
}
