import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openRegistry } from '../../src/app/open-registry.ts'
import { watchFolder } from '../../src/sources/watch.ts'
import { interleave, type Rounds } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import { type Caller, carryOut } from '../lib/serve-orders.ts'
import type { Gate, RunOptions, Topic } from '../lib/topic-shape.ts'
import {
  BARE,
  contestants,
  findPython,
  HAFT,
  makeFolder,
  openSource,
  removeFolders,
  startWorker,
} from './contestants.ts'
import { FILES, toolName, writeToolFile } from './tool-files.ts'

const CALLS = 1_000
/** How long the machine rests between two loads, in milliseconds. */
const BETWEEN = 150

const BARE_LOAD = `bare: python start and import of ${FILES} files (baseline)`
const HAFT_LOAD = `haft: ${FILES} files to tools, byte code kept`
const HAFT_CHANGE = `haft: one of ${FILES} files saved to snapshot, with the watcher`

const topic: Topic = {
  about:
    'Python tools: a call of a warm echo tool beside the least worker that answers JSON lines (wall time, since two processes work; all from one process, in turn), and the way from a folder of files to tools. The gates are held against the tool itself; what the stages of the pipeline add is gate 1b.',
  async run(options) {
    const alone = await raceCalls(options, 1)
    const crowded = await raceCalls(options, 64)
    const loads = await raceLoads(options)
    return {
      markdown: joinParts(callTable(alone, crowded), loadTable(loads), listFailed([...alone.failed, ...loads.failed])),
      gates: makeGates(alone, crowded, loads),
    }
  },
}

export default topic

/** Wall µs a call, one value a round. */
async function raceCalls({ quick }: RunOptions, inFlight: number): Promise<Rounds<number>> {
  const callers = new Map<string, Caller>()
  for (const { name, start } of contestants) callers.set(name, await start())
  try {
    return await interleave([...callers.keys()], { rounds: quick ? 25 : 81, warm: 5 }, async (name) => {
      const caller = callers.get(name)
      return caller ? ((await carryOut({ calls: CALLS, inFlight }, caller)).wall * 1000) / CALLS : Number.NaN
    })
  } finally {
    for (const caller of callers.values()) await caller.end?.()
  }
}

/** Milliseconds to ready, one value a round. */
async function raceLoads({ quick }: RunOptions): Promise<Rounds<number>> {
  const python = await findPython()
  const folder = makeFolder()
  const tools = join(folder, 'tools')
  const source = openSource(python, folder)
  const load = async () => {
    const { tools } = await source.load({ force: true })
    if (tools.length !== FILES) throw new Error(`${tools.length} tools`)
  }
  const watched = await openWatched(python)
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    [BARE_LOAD]: async () => (await startWorker(python, tools)).end(),
    [HAFT_LOAD]: load,
    [HAFT_CHANGE]: () => watched.change(),
  }
  try {
    return await interleave(Object.keys(ways), { rounds: quick ? 11 : 31, warm: 2 }, async (name) => {
      const started = performance.now()
      await ways[name]?.()
      const taken = performance.now() - started
      // Processes that end, and the one that is started ahead, are nobody else's burden.
      await setTimeout(BETWEEN)
      return taken
    })
  } finally {
    await source.close?.()
    await watched.close()
    removeFolders(folder)
  }
}

/** A registry that follows a folder of its own, and a way to save one of its files and wait for the snapshot that has it. */
async function openWatched(python: string) {
  const folder = makeFolder()
  const source = openSource(python, folder, watchFolder)
  let reloaded = () => {}
  const { registry, close } = await openRegistry({
    sources: [source],
    replaceRules: () => [],
    onReloaded: () => reloaded(),
  })
  let change = 0
  return {
    change() {
      const before = registry.get(toolName(50))
      // A watcher keeps no process alive.
      const alive = setInterval(() => undefined, 1_000)
      return new Promise<void>((resolve) => {
        reloaded = () => {
          if (registry.get(toolName(50)) !== before) resolve()
        }
        writeToolFile(join(folder, 'tools'), 50, String(++change))
      }).finally(() => clearInterval(alive))
    },
    async close() {
      await close()
      await source.close?.()
      removeFolders(folder)
    },
  }
}

const ratioOf = ({ samples }: Rounds<number>, name: string, baseline: string) =>
  pairedRatio(samples.get(name) ?? [], samples.get(baseline) ?? [])

function callTable(alone: Rounds<number>, crowded: Rounds<number>): string {
  const rows = [...alone.samples].map(([name, times]) => [
    name,
    formatNumber(median(times)),
    formatNumber(ratioOf(alone, name, BARE)),
    formatNumber(median(crowded.samples.get(name) ?? [])),
    formatNumber(ratioOf(crowded, name, BARE)),
  ])
  return makeTable(['one call', 'µs', '× bare', '64 in flight: µs', '× bare'], rows)
}

function loadTable(loads: Rounds<number>): string {
  const rows = [...loads.samples].map(([name, times]) => [
    name,
    formatNumber(median(times), 1),
    formatNumber(ratioOf(loads, name, BARE_LOAD)),
  ])
  return makeTable(['loading', 'ms', '× bare'], rows)
}

function makeGates(alone: Rounds<number>, crowded: Rounds<number>, loads: Rounds<number>): Gate[] {
  const changed = median(loads.samples.get(HAFT_CHANGE) ?? [])
  return [
    {
      number: '3a',
      what: 'warm Python tool executed, one at a time, wall × bare worker',
      unit: '×',
      limit: 1.3,
      reach: 1.1,
      measured: ratioOf(alone, HAFT, BARE),
    },
    {
      number: '3b',
      what: 'the same with 64 in flight',
      unit: '×',
      limit: 1.3,
      reach: 1,
      measured: ratioOf(crowded, HAFT, BARE),
    },
    {
      number: '3d',
      what: '100 tool files to ready × bare start and import',
      unit: '×',
      limit: 1.5,
      reach: 1.2,
      measured: ratioOf(loads, HAFT_LOAD, BARE_LOAD),
    },
    {
      number: '3d',
      what: 'one changed file live, from the save to the snapshot, with the watcher',
      unit: 'ms',
      limit: 150,
      reach: 75,
      measured: changed,
    },
  ]
}
