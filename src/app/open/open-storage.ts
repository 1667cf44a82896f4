import { join } from 'node:path'
import type { Storage } from '../../core/ports/storage.ts'
import { createEventMask } from '../../core/secrets/mask-event.ts'
import type { Masker } from '../../core/secrets/masker.ts'
import type { Settings } from '../../settings/settings.ts'
import { createMemoryStorage } from '../../store/memory/memory-storage.ts'

/** What decides where events are stored. */
export interface StorageChoice {
  readonly storage: Storage | 'memory' | undefined
  readonly home: string | undefined
  readonly settings: Settings
  readonly masker: Masker
  onProblem(problem: string | undefined): void
  onNotice(notice: string): void
}

/** Opens the given storage, the database in Haft's home, or memory if there is no home. */
export async function openStorage({
  storage,
  home,
  settings,
  masker,
  onProblem,
  onNotice,
}: StorageChoice): Promise<Storage> {
  if (typeof storage === 'object') return storage
  const { durable, log } = settings
  const mask = createEventMask(masker)
  if (home === undefined || storage === 'memory') return createMemoryStorage({ mask })
  const { openSqliteStorage } = await import('../../store/sqlite/open-storage.ts')
  return openSqliteStorage({
    path: join(home, 'log.db'),
    durable,
    mask,
    maxContent: log.maxContentMb * 1_000_000,
    retention: { keepDays: log.keepDays, maxBytes: log.maxMb * 1_000_000 },
    onProblem,
    onNotice,
  })
}
