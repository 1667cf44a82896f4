import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Storage } from '../../src/core/ports/storage.ts'
import { createEventMask } from '../../src/core/secrets/mask-event.ts'
import { createMemoryStorage } from '../../src/store/memory/memory-storage.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Every adapter of the storage ports, by name; what it opens is closed when the test ends. */
export const STORAGES: readonly (readonly [name: string, open: () => Storage])[] = [
  ['memory', () => closing(createMemoryStorage({ mask: createEventMask() }))],
  ['sqlite', () => closing(openSqliteStorage({ path: join(temporaryFolder(), 'log.db'), mask: createEventMask() }))],
]

function closing(storage: Storage): Storage {
  onTestFinished(() => storage.close())
  return storage
}
