// `npm run bench [topic…]`: builds Haft, installs the peers, runs the topics one after another and holds the gates.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FoundTopic, findTopics } from './lib/find-topics.ts'
import { gateTable, isHeld } from './lib/gates.ts'
import { installPeers } from './lib/install-peers.ts'
import { joinParts } from './lib/markdown.ts'
import type { Gate, RunOptions } from './lib/topic-shape.ts'

const BENCH = import.meta.dirname
const RESULTS = join(BENCH, 'results')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { quick: { type: 'boolean', default: false }, peers: { type: 'boolean', default: true } },
})

const topics = await findTopics(positionals)
execFileSync(process.execPath, [join(BENCH, '../scripts/build.ts')], { stdio: ['ignore', 2, 2] })
mkdirSync(RESULTS, { recursive: true })

const gates: Gate[] = []
for (const topic of topics) gates.push(...(await runTopic(topic, values)))
console.log(joinParts('## Gates', gateTable(gates)))
process.exit(gates.every(isHeld) ? 0 : 1)

/** Runs one topic, shows and keeps its tables, and gives back its gates. */
async function runTopic(topic: FoundTopic, options: RunOptions): Promise<readonly Gate[]> {
  if (options.peers) installPeers(existsSync(join(topic.folder, 'package.json')) ? topic.folder : BENCH)
  const report = await topic.run(options)
  const text = joinParts(`## ${topic.name}`, topic.about, report.markdown)
  console.log(`${text}\n`)
  writeFileSync(join(RESULTS, `${topic.name}.md`), `${joinParts(text, gateTable(report.gates))}\n`)
  return report.gates
}
