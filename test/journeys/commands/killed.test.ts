import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/example-host.ts'
import { fillWorkspace, type KillOrder, type KillReport } from '../../support/killed-workspace.ts'
import { describeTree } from '../../support/trees.ts'

const WORKER = join(import.meta.dirname, '../../support/killed-worker.ts')

/** Workers load the same modules again and again. */
const COMPILED = mkdtempSync(join(tmpdir(), 'haft-compiled-'))
afterAll(() => rmSync(COMPILED, { recursive: true }))

type Action = 'apply' | 'background' | 'undo'
type Tree = KillReport['tree']

/** A process that was started on a home and a workspace. */
interface Worker {
  /** Resolves to what it found at its start; undefined when it died first. */
  started(): Promise<KillReport | undefined>
  /** Resolves to what it found after the order; undefined when it died first. */
  order(order: KillOrder): Promise<KillReport | undefined>
}

function startWorker(place: readonly string[], action: Action): Worker {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
  const child = fork(WORKER, [...place, action], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env })
  const closed = once(child, 'close').then((): undefined => undefined)
  const next = () => Promise.race([once(child, 'message').then(([report]) => report as KillReport), closed])
  const first = next()
  return {
    started: () => first,
    order(order) {
      const reported = next()
      child.send(order)
      return reported
    },
  }
}

/** Returns how a tree differs from the nearer of two; nothing where it is one of them. */
function differences(now: Tree, from: Tree, to: Tree): string[] {
  const [one = [], two = []] = [from, to].map((other) =>
    [...new Set([...Object.keys(now), ...Object.keys(other)])]
      .filter((path) => now[path] !== other[path])
      .map((path) => `${path}: ${now[path]}, not ${other[path]}`),
  )
  return one.length < two.length ? one : two
}

/** What an action does to the workspace, and in how many file operations, when nobody kills it. */
interface Rehearsal {
  readonly from: Tree
  readonly to: Tree
  readonly operations: number
}

async function rehearse(place: readonly string[], action: Action): Promise<Rehearsal> {
  const worker = startWorker(place, action)
  await worker.started()
  const ready = await worker.order({ do: 'make ready' })
  const acted = await worker.order({ do: 'act', killAt: 0 })
  await worker.order({ do: 'end' })
  if (ready === undefined || acted === undefined) throw new Error('the worker ended')
  return { from: ready.tree, to: acted.tree, operations: acted.operations }
}

/** Applies or undoes the same changes again and again, kills each worker at a random one of its file operations, and checks what the next one finds at its start. */
async function killOften(action: Action, kills: number): Promise<void> {
  const place = [temporaryFolder(), temporaryFolder()]
  const { from, to, operations } = await rehearse(place, action)
  expect(operations).toBeGreaterThan(20)
  const isUndo = action === 'undo'
  const filled = temporaryFolder()
  fillWorkspace(filled)
  expect(isUndo ? to : from).toEqual(describeTree(filled))
  let worker = startWorker(place, action)
  let found = await worker.started()
  for (let killed = 0; killed < kills; ) {
    if (!isDeepStrictEqual(found?.tree, from)) found = await worker.order({ do: 'make ready' })
    const last = found?.last
    const killAt = 1 + Math.floor(Math.random() * operations)
    const where = `killed at operation ${killAt} of ${operations}`
    found = await worker.order({ do: 'act', killAt })
    if (found !== undefined) continue
    killed++
    worker = startWorker(place, action)
    found = await worker.started()
    const tree = found?.tree ?? {}
    expect(differences(tree, from, to), where).toEqual([])
    expect(found?.leftovers, where).toEqual([])
    // What was applied can be undone, and what was to be undone still can where the undo was taken back.
    if (isDeepStrictEqual(tree, isUndo ? from : to)) expect(found?.last === last, where).toBe(isUndo)
  }
  await worker.order({ do: 'end' })
}

test('kill -9 at 200 random operations of applying, undoing and applying in the background: the next start finds everything as before or as after', async () => {
  await Promise.all([killOften('apply', 70), killOften('undo', 65), killOften('background', 65)])
}, 600_000)
