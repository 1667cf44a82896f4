import { basename } from 'node:path'
import { describeSkipped } from '../../core/tool/describe-file-problem.ts'
import { isControl, type RegisteredTool, type Skipped, type Snapshot } from '../../core/tool/snapshot.ts'
import type { Cli } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'
import { shortPlace } from './short-path.ts'

/** Prints the tools as a table, then what was skipped and why. */
export function listTools(cli: Cli, { tools, skipped }: Snapshot): void {
  const rows = tools.map((entry): Cell[] => [
    { style: 'bold', text: entry.tool.name },
    { style: 'cyan', text: entry.tool.effect },
    { style: 'dim', text: isControl(entry) ? 'control' : sourceOf(entry) },
    { style: 'reset', text: entry.tool.description },
  ])
  for (const line of tableLines(rows, { last: 'cut' })) cli.print(line)
  if (skipped.length > 0) cli.print('')
  for (const line of tableLines(skipped.map(skippedCells), { last: 'wrap' })) cli.print(line)
}

/** A built-in tool has no file that a person could open. */
function sourceOf({ origin, source }: RegisteredTool): string {
  if (origin === 'built-in' || origin === 'code') return origin
  return origin === 'project' ? `project ${basename(source)}` : basename(source)
}

function skippedCells(one: Skipped): Cell[] {
  return [
    { style: 'yellow', text: one.isWarning ? 'warning' : one.loadingSince === undefined ? 'skipped' : 'loading' },
    { style: 'reset', text: `${shortPlace(one)}: ${describeSkipped(one)}` },
  ]
}
