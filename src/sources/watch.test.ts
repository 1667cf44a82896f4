import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { type WatchPath, watchFolder } from './watch.ts'

/** Watches a folder; `next` acts and resolves at the change that follows. */
function watching(folder: string, watch?: WatchPath) {
  let count = 0
  let changed = Promise.withResolvers<void>()
  const watched = watchFolder(
    folder,
    () => {
      count++
      changed.resolve()
    },
    watch,
  )
  onTestFinished(() => watched.close())
  return {
    count: () => count,
    close: () => watched.close(),
    async next(act: () => void): Promise<void> {
      changed = Promise.withResolvers<void>()
      act()
      await changed.promise
    },
  }
}

test('S0.4 a file that is written, saved by rename or deleted is a change', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.ts')
  const { next } = watching(folder)
  await next(() => writeFileSync(file, '1'))
  await next(() => writeFileSync(file, '2'))
  await next(() => {
    writeFileSync(`${file}~`, '3')
    renameSync(`${file}~`, file)
  })
  await next(() => rmSync(file))
})

test('S0.4 a folder that is made later, several levels deep, is watched from then on', async () => {
  const folder = join(temporaryFolder(), 'one/two/tools')
  const { next } = watching(folder)
  await next(() => mkdirSync(folder, { recursive: true }))
  await next(() => writeFileSync(join(folder, 'a.ts'), '1'))
})

test('S0.4 a folder that is removed and made again, or moved away with its parent, stays watched', async () => {
  const parent = join(temporaryFolder(), 'home')
  const folder = join(parent, 'tools')
  mkdirSync(folder, { recursive: true })
  const { next } = watching(folder)
  await next(() => rmSync(folder, { recursive: true }))
  await next(() => mkdirSync(folder))
  await next(() => writeFileSync(join(folder, 'a.ts'), '1'))
  await next(() => renameSync(parent, `${parent}.old`))
  await next(() => mkdirSync(folder, { recursive: true }))
  await next(() => writeFileSync(join(folder, 'a.ts'), '2'))
})

test('S0.4 a folder that is replaced in one go stays watched, again and again', async () => {
  const folder = join(temporaryFolder(), 'tools')
  mkdirSync(folder)
  const { next } = watching(folder)
  for (let i = 0; i < 10; i++) {
    await next(() => {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
    })
    await next(() => writeFileSync(join(folder, 'a.ts'), String(i)))
  }
})

test('S0.4 a linked folder is watched, also after the link leads elsewhere and after its target was made again', async () => {
  const base = temporaryFolder()
  const [first, second, link] = [join(base, 'deep/first'), join(base, 'second'), join(base, 'links/tools')]
  for (const made of [first, second, join(base, 'links')]) mkdirSync(made, { recursive: true })
  symlinkSync(first, link)
  const { next } = watching(link)
  await next(() => writeFileSync(join(first, 'a.ts'), '1'))
  await next(() => rmSync(first, { recursive: true }))
  await next(() => mkdirSync(first))
  await next(() => writeFileSync(join(first, 'a.ts'), '2'))
  await next(() => {
    symlinkSync(second, `${link}.new`)
    renameSync(`${link}.new`, link)
  })
  await next(() => writeFileSync(join(second, 'a.ts'), '3'))
})

test('S0.4 a file that is edited a hundred times a second still gets through, again and again', async () => {
  const folder = temporaryFolder()
  const { count } = watching(folder)
  const editing = setInterval(() => writeFileSync(join(folder, 'a.ts'), String(count())), 10)
  onTestFinished(() => clearInterval(editing))
  await expect.poll(count, { timeout: 10_000, interval: 20 }).toBeGreaterThan(2)
})

test('many changes at once are one change', async () => {
  const folder = temporaryFolder()
  const { next, count } = watching(folder)
  await next(() => {
    for (let i = 0; i < 200; i++) writeFileSync(join(folder, `${i}.ts`), '1')
  })
  await next(() => writeFileSync(join(folder, 'last.ts'), '1'))
  expect(count()).toBe(2)
})

test('what happens beside the folder is no change of it', async () => {
  const parent = temporaryFolder()
  const folder = join(parent, 'tools')
  mkdirSync(folder)
  const { next, count } = watching(folder)
  for (let i = 0; i < 50; i++) writeFileSync(join(parent, 'log.db'), String(i))
  await next(() => writeFileSync(join(folder, 'a.ts'), '1'))
  expect(count()).toBe(1)
})

test('after close there are no changes', async () => {
  const folder = temporaryFolder()
  const first = watching(folder)
  const second = watching(folder)
  first.close()
  await second.next(() => writeFileSync(join(folder, 'a.ts'), '1'))
  expect(first.count()).toBe(0)
})

test.for<[string, WatchPath]>([
  [
    'cannot be opened',
    () => {
      throw Object.assign(new Error('no space left for watchers'), { code: 'ENOSPC' })
    },
  ],
  [
    'fails later',
    () =>
      ({
        close: () => undefined,
        on(event: string, listener: () => void) {
          if (event === 'error') queueMicrotask(listener)
          return this
        },
      }) as unknown as ReturnType<WatchPath>,
  ],
])('S0.4 where a watcher %s, the entries are compared instead', async ([, watch]) => {
  const folder = join(temporaryFolder(), 'tools')
  const file = join(folder, 'a.ts')
  const { next } = watching(folder, watch)
  await next(() => mkdirSync(folder))
  await next(() => writeFileSync(file, '1'))
  await next(() => utimesSync(file, new Date(), new Date(Date.now() + 5_000)))
  await next(() => rmSync(folder, { recursive: true }))
})
