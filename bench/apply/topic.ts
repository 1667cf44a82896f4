import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importHaft } from '../lib/built-haft.ts'
import { makeTable } from '../lib/markdown.ts'
import { formatNumber } from '../lib/numbers.ts'
import type { Topic } from '../lib/topic-shape.ts'

const FOLDERS = 1_000

/** What a command does to the files of 1,000 folders, as Python. */
const KINDS = {
  new: 'os.makedirs(d, exist_ok=True)\n  for i in range(EACH): open(f"{d}/{i}", "w").write(f"new {i}")',
  changed: 'for i in range(EACH): open(f"{d}/{i}", "w").write(f"new {i}")',
  deleted: 'shutil.rmtree(d)',
} as const

const topic: Topic = {
  about:
    'The time to apply what a command left in many files, without the command itself, and to undo it. The temporary folder is used; its file system counts for much of it.',
  async run({ quick }) {
    const files = quick ? 10_000 : 100_000
    const rows: string[][] = []
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) rows.push(await measure(kind, files))
    return { markdown: makeTable(['files', 'command s', 'apply s', 'undo s'], rows), gates: [] }
  },
}

export default topic

async function measure(kind: keyof typeof KINDS, files: number): Promise<string[]> {
  const { createHost } = await importHaft()
  const base = mkdtempSync(join(tmpdir(), 'haft-bench-'))
  const [home, workspace] = [join(base, 'home'), join(base, 'workspace')]
  const each = files / FOLDERS
  try {
    for (const folder of [home, workspace]) mkdirSync(folder)
    if (kind !== 'new') fill(workspace, each)
    const host = await createHost({ home, workspace })
    const code = `import os, shutil\nfor n in range(${FOLDERS}):\n  d = f"d{n}"\n  ${KINDS[kind].replaceAll('EACH', `${each}`)}\n`
    const called = performance.now()
    const result = await host.call('run_code', { language: 'python', code, timeout: 500 }, { decision: 'allow' })
    const total = performance.now() - called
    if (!result.ok) throw new Error(result.text)
    const { duration } = result.data as { duration: number }
    const undoing = performance.now()
    const undone = await host.undo(await host.undoable(), { decision: 'allow' })
    const undo = performance.now() - undoing
    if (!undone.ok) throw new Error(undone.text)
    await host.close()
    return [`${files} ${kind}`, ...[duration, total - duration, undo].map((ms) => formatNumber(ms / 1000))]
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function fill(workspace: string, each: number): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(workspace, `d${folder}`))
    for (let file = 0; file < each; file++) writeFileSync(join(workspace, `d${folder}/${file}`), `old ${file}`)
  }
}
