import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { startAsUser } from '../python/start-as-user.ts'
import { watchFolder } from '../watch.ts'
import { createNodeSource, type NodeSourceOptions } from './node-source.ts'
import { splitLines } from './split-lines.ts'

const GOOD = `export default { name: 'good', description: 'It', parameters: { type: 'object' }, handler: () => 1 }`

function sourceOf(files: Readonly<Record<string, string>>, options: Partial<NodeSourceOptions> = {}) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  let starts = 0
  const source = createNodeSource({
    folder,
    origin: 'user',
    workspace: folder,
    program: join(import.meta.dirname, 'child/main.ts'),
    watch: watchFolder,
    launch: async (order) => {
      starts++
      return startAsUser(order, { cwd: folder, env: process.env, isOwnGroup: true })
    },
    ...options,
  })
  onTestFinished(() => source.close?.())
  return { source, folder, starts: () => starts }
}

test('S0.2 a file that hangs while it is loaded is skipped, and not tried again until it changes', async () => {
  const { source, folder, starts } = sourceOf(
    { 'a.js': GOOD, 'hang.js': 'for (;;);', 'wait.js': 'await new Promise(() => setInterval(() => 1, 1000))' },
    { loadSeconds: 1 },
  )
  const skipped = ['hang.js', 'wait.js'].map((name) => ({
    ...{ source: join(folder, name), reason: 'loading it took longer than 1 s' },
  }))
  const first = await source.load()
  expect(first.tools.map(({ tool }) => tool.name)).toEqual(['good'])
  expect(first.skipped).toEqual(skipped)
  expect(starts()).toBe(3)
  expect((await source.load({ force: true })).skipped).toEqual(skipped)
  expect(starts()).toBe(4)
  writeFileSync(join(folder, 'hang.js'), GOOD.replace('good', 'better'))
  expect((await source.load()).tools.map(({ tool }) => tool.name)).toEqual(['good', 'better'])
})

test('S0.2 a file that forges messages while it is loaded can neither loop the start nor break the others', async () => {
  const forge = (message: object) =>
    `import { writeSync } from 'node:fs'\nwriteSync(4, ${JSON.stringify(`${JSON.stringify(message)}\n`)})\n`
  const { source, folder } = sourceOf({
    'a.js': GOOD,
    'b.js': forge({ type: 'loaded', files: [{ file: 'x' }, 7, { file: 3, tools: 1 }] }),
    'c.js': `${forge({ type: 'loading', file: 'nobody' })}process.exit(1)`,
  })
  const { tools, skipped } = await source.load()
  expect(tools.map(({ tool }) => tool.name)).toEqual(['good'])
  expect(skipped.map((one) => one.source)).toEqual([join(folder, 'b.js'), join(folder, 'c.js')])
})

test('where no process can be started, loading says why', async () => {
  const { source } = sourceOf({ 'a.js': GOOD }, { launch: () => Promise.reject(new Error('there is no sandbox here')) })
  await expect(source.load()).rejects.toThrow('there is no sandbox here')
  const ended = sourceOf({ 'a.js': GOOD }, { program: '/nowhere/main.js' })
  await expect(ended.source.load()).rejects.toThrow(/the process for TypeScript tools failed: .*exit code 1/)
})

test('lines are the same however their text is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '"', '\n') })), (pieces) => {
      const lines: string[] = []
      const add = splitLines((line) => lines.push(line))
      for (const piece of [...pieces, '\n']) add(piece)
      expect(lines).toEqual(pieces.join('').split('\n').filter(Boolean))
    }),
  )
})
