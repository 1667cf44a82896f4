import { join } from 'node:path'
import { createEventMask } from '../core/mask-event.ts'
import type { Store } from '../core/store.ts'
import type { Settings } from '../settings/settings.ts'
import { createMemoryStore } from '../store/memory.ts'

/** What decides where events lie. */
export interface StoreChoice {
  readonly store: Store | 'memory' | undefined
  readonly home: string | undefined
  readonly settings: Settings
  onTrouble(trouble: string | undefined): void
}

/** The store that was given, the log in Haft's home, or memory where there is no home. */
export async function openStore({ store, home, settings, onTrouble }: StoreChoice): Promise<Store> {
  if (typeof store === 'object') return store
  const { durable, log } = settings
  const mask = createEventMask(log.secrets)
  if (home === undefined || store === 'memory') return createMemoryStore({ mask })
  const { openSqliteStore } = await import('../store/sqlite.ts')
  return openSqliteStore({
    path: join(home, 'log.db'),
    durable,
    mask,
    maxContent: log.maxContentMb * 1_000_000,
    retention: { keepDays: log.keepDays, maxBytes: log.maxMb * 1_000_000 },
    onTrouble,
  })
}
