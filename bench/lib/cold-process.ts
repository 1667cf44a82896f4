import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { median } from './numbers.ts'
import type { Cost } from './warm-process.ts'

const RUNNER = join(import.meta.dirname, 'cold-process.py')
const RUNS = 3

/** Where and how a command is run. */
export interface Surroundings {
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  /** What is put before the runner, such as a network of its own. */
  readonly inside?: readonly string[]
}

/** What a command costs from start to end: the median of three fresh processes. Throws where one fails. */
export function measureCold(command: readonly string[], { folder, env, inside = [] }: Surroundings): Cost {
  const [file = '', ...args] = [...inside, 'python3', RUNNER, String(RUNS), ...command]
  const output = execFileSync(file, args, {
    cwd: folder,
    env: env ?? process.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  })
  const costs = JSON.parse(output) as Cost[]
  const middle = (pick: (cost: Cost) => number) => median(costs.map(pick))
  return { wall: middle(({ wall }) => wall), cpu: middle(({ cpu }) => cpu), rss: middle(({ rss }) => rss) }
}
