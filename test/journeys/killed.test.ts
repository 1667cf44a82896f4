import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createHost, type Host } from '../../src/index.ts'
import { temporaryFolder } from '../support/example-host.ts'
import { describeTree } from '../support/trees.ts'

const WORKER = join(import.meta.dirname, '../support/killed-worker.ts')

/** Adds, changes, deletes and moves files and folders, and changes modes and links. */
const CODE = `
mkdir -p new/deep empty; for i in 1 2 3 4 5; do echo "$i" > new/deep/$i; done
for i in 1 2 3; do echo changed > d/$i.txt; done
rm d/4.txt; rm -r gone; mv moved there
chmod 755 d/5.txt; ln -sf d/5.txt link; rm kind; mkdir kind; echo x > kind/x; chmod 700 there
`

function fill(workspace: string): void {
  for (const folder of ['d', 'gone/deep', 'moved/sub']) mkdirSync(join(workspace, folder), { recursive: true })
  for (const file of [1, 2, 3, 4, 5]) writeFileSync(join(workspace, `d/${file}.txt`), `${file}\n`)
  for (const file of ['gone/a', 'gone/deep/b', 'moved/c', 'moved/sub/e', 'kind'])
    writeFileSync(join(workspace, file), file)
  symlinkSync('d/1.txt', join(workspace, 'link'))
  chmodSync(join(workspace, 'moved'), 0o755)
}

/** Workers load the same modules again and again. */
const COMPILED = mkdtempSync(join(tmpdir(), 'haft-compiled-'))
afterAll(() => rmSync(COMPILED, { recursive: true }))

/** Runs a worker that kills itself at one of its file operations; resolves to how many it made, or undefined when it was killed. */
async function runWorker(args: readonly string[]): Promise<number | undefined> {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
  const worker = spawn(process.execPath, [WORKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env })
  let said = ''
  worker.stdout.on('data', (text) => {
    said += text
  })
  await once(worker, 'close')
  return said === '' ? undefined : Number(said)
}

interface Place {
  readonly home: string
  readonly workspace: string
}

async function withHost<T>(place: Place, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await createHost(place)
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** What a run or an undo that was killed could leave behind. */
function leftovers({ home, workspace }: Place): string[] {
  const runs = join(home, 'runs')
  const names = Object.keys(describeTree(workspace)).filter((path) => path.includes('.haft'))
  return [...names, ...(existsSync(runs) ? readdirSync(runs).flatMap((name) => readdirSync(join(runs, name))) : [])]
}

/** Returns how a tree differs from the nearer of two; nothing where it is one of them. */
function differences(now: Tree, before: Tree, after: Tree): string[] {
  const [one = [], two = []] = [before, after].map((other) =>
    [...new Set([...Object.keys(now), ...Object.keys(other)])]
      .filter((path) => now[path] !== other[path])
      .map((path) => `${path}: ${now[path]}, not ${other[path]}`),
  )
  return one.length < two.length ? one : two
}

type Tree = Readonly<Record<string, string>>

/** Applies or undoes the same changes again and again, and kills each worker at a random one of its file operations. */
async function killOften(action: 'apply' | 'background' | 'undo', kills: number): Promise<void> {
  const place = { home: temporaryFolder(), workspace: temporaryFolder() }
  const { home, workspace } = place
  const refill = () => {
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
    fill(workspace)
  }
  const apply = action === 'undo' ? 'apply' : action
  refill()
  const before = describeTree(workspace)
  const operations = await runWorker([home, workspace, apply, CODE])
  const after = describeTree(workspace)
  const undoable = () => withHost(place, async (host) => (await host.undoable())[0] ?? '')
  const undoing = await runWorker([home, workspace, 'undo', await undoable()])
  expect(describeTree(workspace)).toEqual(before)
  const [from, all] = action === 'undo' ? [after, undoing] : [before, operations]
  expect(all).toBeGreaterThan(20)
  let last = await undoable()
  for (let killed = 0; killed < kills; ) {
    if (!isDeepStrictEqual(describeTree(workspace), from)) {
      refill()
      if (action === 'undo') {
        await runWorker([home, workspace, apply, CODE])
        last = await undoable()
      }
    }
    const killAt = 1 + Math.floor(Math.random() * (all ?? 0))
    const given = action === 'undo' ? ['undo', last] : [action, CODE]
    if ((await runWorker([home, workspace, ...given, `${killAt}`])) === undefined) killed++
    const next = await undoable()
    const where = `killed at operation ${killAt} of ${all}`
    const now = describeTree(workspace)
    expect(differences(now, before, after), where).toEqual([])
    // What was applied can be undone, and so can what an undo that was taken back left.
    if (action !== 'undo' && !isDeepStrictEqual(now, before)) expect(next, where).not.toBe(last)
    if (action === 'undo' && !isDeepStrictEqual(now, before)) expect(next, where).toBe(last)
    expect(leftovers(place), where).toEqual([])
    last = next
  }
}

test('kill -9 at 200 random operations of applying, undoing and applying in the background: the next start finds everything as before or as after', async () => {
  await Promise.all([killOften('apply', 70), killOften('undo', 65), killOften('background', 65)])
}, 600_000)
