import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHost, type Host } from '../../../src/index.ts'
import { temporaryFolder } from '../../support/example-host.ts'
import { describeTree } from '../../support/trees.ts'

const FILES = 300
const WORKER = join(import.meta.dirname, '../../support/undo-worker.ts')

/** Deletes a third of the files, changes a third, and adds a folder with as many. */
const CODE = `
import os
for i in range(0, ${FILES}, 3): os.remove(f"d{i % 7}/{i}.txt")
for i in range(1, ${FILES}, 3): open(f"d{i % 7}/{i}.txt", "w").write("changed")
os.makedirs("new/deep")
for i in range(${FILES / 3}): open(f"new/deep/{i}", "w").write("new")
`

async function withHost<T>(home: string, workspace: string, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await createHost({ home, workspace })
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** Undoes a call in another process, and kills it once a file is back. */
async function killDuringUndo(args: readonly string[], file: string): Promise<void> {
  const worker = spawn(process.execPath, [WORKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(worker, 'exit')
  let hasEnded = false
  ended.then(() => {
    hasEnded = true
  })
  await once(worker.stdout, 'data')
  while (!hasEnded && !existsSync(file)) await new Promise((resolve) => setImmediate(resolve))
  worker.kill('SIGKILL')
  await ended
}

test('kill -9 at random moments of an undo: the next start leaves everything as before it or after it, and it can be repeated', async () => {
  for (let round = 0; round < 5; round++) {
    const [home, workspace] = [temporaryFolder(), temporaryFolder()]
    for (let folder = 0; folder < 7; folder++) mkdirSync(join(workspace, `d${folder}`))
    for (let file = 0; file < FILES; file++) writeFileSync(join(workspace, `d${file % 7}/${file}.txt`), `${file}\n`)
    const original = describeTree(workspace)
    const call = await withHost(home, workspace, async (host) => {
      expect(await host.call('run_code', { language: 'python', code: CODE })).toMatchObject({ ok: true })
      return (await host.undoable())[0] ?? ''
    })
    const changed = describeTree(workspace)
    const at = Math.floor(Math.random() * (FILES / 3)) * 3
    await killDuringUndo([home, workspace, call], join(workspace, `d${at % 7}/${at}.txt`))
    await withHost(home, workspace, async (host) => {
      const now = describeTree(workspace)
      const isDone = JSON.stringify(now) === JSON.stringify(original)
      expect(now).toEqual(isDone ? original : changed)
      if (!isDone) expect(await host.undo([call], { decision: 'allow' })).toMatchObject({ ok: true })
      expect(describeTree(workspace)).toEqual(original)
    })
    // What the killed undo had moved aside is deleted too.
    const runs = join(home, 'runs')
    expect(existsSync(runs) ? readdirSync(runs, { recursive: true }) : []).toEqual([])
  }
}, 120_000)
