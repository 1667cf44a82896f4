import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importHaft } from '../lib/built-haft.ts'
import { makeTable } from '../lib/markdown.ts'
import { formatNumber } from '../lib/numbers.ts'
import type { Gate, Topic } from '../lib/topic-shape.ts'

const FOLDERS = 1_000

/** What a command does to the files of 1,000 folders, as Python. */
const KINDS = {
  new: 'os.makedirs(d, exist_ok=True)\n  for i in range(EACH): open(f"{d}/{i}", "w").write(f"new {i}")',
  changed: 'for i in range(EACH): open(f"{d}/{i}", "w").write(f"new {i}")',
  deleted: 'shutil.rmtree(d)',
} as const

const topic: Topic = {
  about:
    'The time to apply what a command left in many files, without the command itself, and to undo it in another host. What a command replaced and what undo removed is deleted in the background, which the columns "deleting" show. The file system of the temporary folder counts for much of all times, so the gates compare with `cp -a` of the same files in the same run. Before, 100,000 new files took 25 s to apply and 64 s to undo.',
  async run({ quick }) {
    const files = quick ? 10_000 : 100_000
    const times: Times[] = []
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) times.push(await measure(kind, files))
    const rows = times.map(({ name, ...seconds }) => [name, ...Object.values(seconds).map((one) => formatNumber(one))])
    const heads = ['files', 'command s', 'apply s', 'deleting s', 'undo s', 'deleting s', 'cp -a s']
    return { markdown: makeTable(heads, rows), gates: gatesOf(times, quick) }
  },
}

export default topic

/** Seconds of each part. */
interface Times {
  readonly name: string
  readonly command: number
  readonly apply: number
  /** Until what was replaced is deleted. */
  readonly cleaned: number
  readonly undo: number
  readonly after: number
  readonly copy: number
}

/** The first version took 25 s to apply 100,000 new files and 64 s to undo it; both must take a quarter of that at most. */
const QUARTER = { apply: 25 / 4, undo: 64 / 4 } as const

/** A command's new files are renamed, not copied; undo reads and keeps each, so that it can be undone itself. Undo of changed files writes each again. */
function gatesOf([added, changed]: readonly Times[], quick: boolean): Gate[] {
  if (added === undefined || changed === undefined) return []
  const gate = (what: string, seconds: number, limits: Pick<Gate, 'limit' | 'reach'>): Gate => ({
    number: '12',
    what: `${what} (${formatNumber(seconds)} s), wall × cp -a`,
    unit: '×',
    measured: seconds / added.copy,
    ...limits,
  })
  const timed = (what: keyof typeof QUARTER): Gate => ({
    number: '12',
    what: `${what} ${added.name}, a quarter of the first version`,
    unit: 's',
    measured: added[what],
    limit: QUARTER[what],
    reach: QUARTER[what] / 2,
  })
  return [
    gate(`apply ${added.name}`, added.apply, { limit: 1.5, reach: 1 }),
    gate(`undo ${added.name}`, added.undo, { limit: 3, reach: 2 }),
    gate(`undo ${changed.name}`, changed.undo, { limit: 10, reach: 5 }),
    ...(quick ? [] : [timed('apply'), timed('undo')]),
  ]
}

async function measure(kind: keyof typeof KINDS, files: number): Promise<Times> {
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
    const copy = kind === 'new' ? timeOf(() => execFileSync('cp', ['-a', workspace, join(base, 'copy')])) : 0
    const cleaned = await timeOfAsync(() => host.close())
    const later = await createHost({ home, workspace })
    const calls = await later.undoable()
    const undoing = performance.now()
    const undone = await later.undo(calls, { decision: 'allow' })
    const undo = performance.now() - undoing
    if (!undone.ok) throw new Error(undone.text)
    const after = await timeOfAsync(() => later.close())
    const parts = { command: duration, apply: total - duration, cleaned, undo, after, copy }
    return { name: `${files} ${kind}`, ...inSeconds(parts) }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function inSeconds<T extends Record<string, number>>(parts: T): T {
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, ms / 1000])) as T
}

function timeOf(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

async function timeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function fill(workspace: string, each: number): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(workspace, `d${folder}`))
    for (let file = 0; file < each; file++) writeFileSync(join(workspace, `d${folder}/${file}`), `old ${file}`)
  }
}
