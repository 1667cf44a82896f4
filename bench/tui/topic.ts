import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPeers } from '../lib/install-peers.ts'
import { interleave } from '../lib/interleave.ts'
import { joinParts, listFailed, makeTable } from '../lib/markdown.ts'
import { formatNumber, median, pairedRatio } from '../lib/numbers.ts'
import type { Topic } from '../lib/topic-shape.ts'

const HAFT = 'haft'
const EMPTY = 'an empty Ink program'
const MAIN = join(import.meta.dirname, '../../dist/main.js')
/** A command that prints 40 KB at a time, some megabytes a second, until it has used up its limit of 10 MB; and keys that appear nowhere in it or in the rows around. */
const FLOOD = '!for i in $(seq 1 500); do head -c 40000 /dev/zero | tr "\\0" x | fold -w 79; sleep 0.01; done'
const KEYS = [...'QXZJKVWYGHNU']

/** Other terminal UIs, each with a word of its first frame; they come from bench/cli/package.json. None is signed in. */
const PEERS: Readonly<Record<string, string>> = { codex: 'Welcome', gemini: 'trust', opencode: 'Ask', pi: 'interrupt' }
const CLI = join(import.meta.dirname, '../cli')

interface Measured {
  readonly frame: number
  readonly echoes: readonly number[]
}

const topic: Topic = {
  about: 'The terminal UI in a terminal of 80 by 24: the first frame, and the echo of a key while a tool floods.',
  async run({ quick, peers }) {
    if (peers) installPeers(CLI)
    const folder = mkdtempSync(join(tmpdir(), 'haft-bench-'))
    try {
      mkdirSync(join(folder, 'workspace'))
      const racing: Readonly<Record<string, () => Measured>> = {
        [HAFT]: () => measure(folder, { command: [process.execPath, MAIN, '--model', 'demo'], shows: 'mode ask' }),
        [EMPTY]: () =>
          measure(folder, { command: [process.execPath, join(import.meta.dirname, 'empty-ink.ts')], shows: 'ready' }),
        ...(peers && racePeers(folder)),
      }
      const { samples, failed } = await interleave(
        Object.keys(racing),
        { rounds: quick ? 5 : 9, warm: 1 },
        async (name) => racing[name]?.() ?? { frame: Number.NaN, echoes: [] },
      )
      const frames = (name: string) => (samples.get(name) ?? []).map(({ frame }) => frame)
      const flooded = measure(folder, {
        ...{ command: [process.execPath, MAIN, '--model', 'demo'], shows: 'mode ask' },
        ...{ types: FLOOD, until: 'Esc stops', keys: KEYS },
      })
      const rows = [...samples.keys()].map((name) => [name, formatNumber(median(frames(name)), 1)])
      const ratio = pairedRatio(frames(HAFT), frames(EMPTY))
      const echo = median([...flooded.echoes])
      return {
        markdown: joinParts(
          makeTable(['program', 'first frame, wall ms'], rows),
          `Key to echo while a tool floods: ${formatNumber(echo, 1)} ms at the median.`,
          listFailed(failed),
        ),
        gates: [
          {
            number: '9',
            what: 'terminal UI, first frame, wall × an empty Ink program',
            unit: '×',
            limit: 2.5,
            reach: 1.5,
            measured: ratio,
          },
          {
            number: '9b',
            what: 'terminal UI, key to echo while a tool floods, median',
            unit: 'ms',
            limit: 30,
            reach: 15,
            measured: echo,
          },
        ],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

export default topic

function racePeers(folder: string): Record<string, () => Measured> {
  const race = ([name, shows]: [string, string]): [string, () => Measured] => [
    name,
    () => measure(folder, { command: [join(CLI, 'node_modules/.bin', name)], shows }),
  ]
  return Object.fromEntries(Object.entries(PEERS).map(race))
}

interface Order {
  readonly command: readonly string[]
  /** The text that the first frame ends with. */
  readonly shows: string
  /** What is typed then, and the text that says that it runs. */
  readonly types?: string
  readonly until?: string
  readonly keys?: readonly string[]
}

function measure(folder: string, order: Order): Measured {
  const env = { HAFT_HOME: join(folder, 'home'), HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const given = JSON.stringify({ ...order, env, folder: join(folder, 'workspace') })
  return JSON.parse(execFileSync('python3', [join(import.meta.dirname, 'terminal.py'), given], { encoding: 'utf8' }))
}
