import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'unbash'
import { judgeShell } from '../../src/rules/defaults/judge-shell.ts'
import { readShell } from '../../src/rules/shell/read-shell.ts'
import { LOCATION } from '../../test/support/shell-location.ts'
import { makeTable } from '../lib/markdown.ts'
import { formatNumber, median } from '../lib/numbers.ts'
import type { Report, RunOptions, Topic } from '../lib/topic-shape.ts'

/** One run takes about as long as looking at the clock ten times: so many are timed together. */
const TOGETHER = 20

/** What is timed: each takes one command line of the corpus. */
const CONTESTANTS: Readonly<Record<string, (command: string) => void>> = {
  'parse, words left closed': (command) => void parse(command),
  'parse, every word opened': (command) => openWords(parse(command)),
  'Haft: read and decide': (command) => void judgeShell(readShell(command, LOCATION), LOCATION),
}

const topic: Topic = {
  about:
    'Reading a command line and deciding about it, beside parsing it. The parser leaves words closed until somebody looks into them; whoever reads the line must look into all of them.',
  async run({ quick }: RunOptions): Promise<Report> {
    const commands = readCorpus()
    const times = new Map(Object.keys(CONTESTANTS).map((name) => [name, commands.map(() => Number.POSITIVE_INFINITY)]))
    for (let round = -2; round < (quick ? 5 : 30); round++) {
      for (const [name, run] of Object.entries(CONTESTANTS)) {
        const best = times.get(name) ?? []
        for (const [i, command] of commands.entries()) {
          const started = performance.now()
          for (let time = 0; time < TOGETHER; time++) run(command)
          if (round >= 0) best[i] = Math.min(best[i] ?? 0, ((performance.now() - started) * 1000) / TOGETHER)
        }
      }
    }
    const p50 = (name: string) => median(times.get(name) ?? [])
    const rows = [...times].map(([name, all]) => [
      name,
      formatNumber(median(all)),
      formatNumber(quantile(all, 0.9)),
      formatNumber(Math.max(...all)),
    ])
    const [, opened = '', haft = ''] = Object.keys(CONTESTANTS)
    return {
      markdown: makeTable(['contestant', 'p50 µs', 'p90 µs', 'slowest µs'], rows),
      gates: [
        {
          number: 'rules',
          what: 'deciding about a command line × parsing it with every word opened, p50 over the corpus',
          unit: '×',
          limit: 5,
          reach: 3,
          measured: p50(haft) / p50(opened),
        },
        {
          number: 'rules',
          what: 'deciding about a command line, p50 over the corpora',
          unit: 'µs',
          limit: 200,
          reach: 50,
          measured: p50(haft),
        },
      ],
    }
  },
}

export default topic

function readCorpus(): string[] {
  return ['shell.json', 'shell-2.json'].flatMap((name) => {
    const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/data', name), 'utf8'))
    return cases.flatMap(({ command }: { command?: string }) => command ?? [])
  })
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
}

type Node = Readonly<Record<string, unknown>>

/** The members of the commonest nodes that hold others; rarer ones are looked through whole. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  Script: ['commands'],
  CompoundList: ['commands'],
  Statement: ['command'],
  AndOr: ['commands'],
  Pipeline: ['commands'],
  Command: ['name', 'prefix', 'args', 'redirects'],
  Word: ['value', 'parts'],
  Assignment: ['value'],
  DoubleQuoted: ['parts'],
  CommandExpansion: ['script'],
  ProcessSubstitution: ['script'],
  HereDoc: ['body'],
  Redirect: ['target'],
  Literal: [],
  SingleQuoted: [],
  AnsiCQuoted: [],
  Glob: [],
  SimpleExpansion: [],
}

/** Looks into everything that holds words: their parts and values are made when they are looked at. */
function openWords(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const member of node) openWords(member)
    return
  }
  // A node of the parser: a plain object or one with getters.
  const given = node as Node
  for (const name of HOLDERS[String(given.type)] ?? Object.keys(given)) openWords(given[name])
}
