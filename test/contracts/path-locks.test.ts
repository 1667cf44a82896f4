import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PathLocks } from '../../src/core/ports/path-locks.ts'
import { openSqliteStorage } from '../../src/store/sqlite/open-storage.ts'
import { STORAGES } from '../support/storages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe.each(STORAGES)('the path locks of %s', (_, open) => {
  it('do not exclude the locks of their own process', async () => {
    const { locks } = open()
    const first = await locks.tryLock(['/w/a', '/w/b'])
    const second = await locks.tryLock(['/w/a'])
    expect([first, second].every((lock) => lock !== undefined)).toBe(true)
  })

  it('may be released twice, also after the storage is closed', async () => {
    const storage = open()
    const lock = await storage.locks.tryLock(['/w/a'])
    lock?.release()
    lock?.release()
    storage.close()
    lock?.release()
  })

  it('end a wait when the signal aborts', async () => {
    await open().locks.changed(AbortSignal.abort())
  })
})

describe('the path locks of two openings of one file', () => {
  const openTwo = () => {
    const path = join(temporaryFolder(), 'log.db')
    const [one, other] = [openSqliteStorage({ path }), openSqliteStorage({ path })]
    onTestFinished(() => {
      one.close()
      other.close()
    })
    return { one, other }
  }
  const isFree = async (locks: PathLocks, path: string) => {
    const lock = await locks.tryLock([path])
    lock?.release()
    return lock !== undefined
  }

  it('exclude the path itself and those above and below it, and no others', async () => {
    const { one, other } = openTwo()
    const held = await one.locks.tryLock(['/w/src/a.ts', '/w/docs'])
    for (const path of ['/w/src/a.ts', '/w/src', '/w', '/w/docs/deep/b.md'])
      expect([path, await isFree(other.locks, path)]).toEqual([path, false])
    for (const path of ['/w/src/a.tsx', '/w/src/b.ts', '/w/doc', '/x'])
      expect([path, await isFree(other.locks, path)]).toEqual([path, true])
    held?.release()
    expect(await isFree(other.locks, '/w')).toBe(true)
  })

  it('are taken all or none', async () => {
    const { one, other } = openTwo()
    await one.locks.tryLock(['/w/b'])
    expect(await other.locks.tryLock(['/w/a', '/w/b'])).toBeUndefined()
    expect(await isFree(one.locks, '/w/a')).toBe(true)
  })

  it('wake who waits when they are released', async () => {
    const { one, other } = openTwo()
    const held = await one.locks.tryLock(['/w/a'])
    expect(await other.locks.tryLock(['/w/a'])).toBeUndefined()
    const waited = other.locks.changed(new AbortController().signal)
    held?.release()
    await waited
    expect(await other.locks.tryLock(['/w/a'])).toBeDefined()
  })

  it('are free once their owner has closed', async () => {
    const { one, other } = openTwo()
    await one.locks.tryLock(['/w/a'])
    one.close()
    expect(await isFree(other.locks, '/w/a')).toBe(true)
  })
})
