import type { Todo } from '../../core/session/event.ts'
import type { CallItem, SessionItem } from '../../core/session/session-view.ts'
import { mainArgument } from '../../core/terminal/call-facts.ts'
import { flowLines } from '../../core/terminal/flow-text.ts'
import { wrapInside } from '../../core/terminal/request-lines.ts'
import { cutToWidth, widthOf } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Look, spread } from '../look.ts'
import { itemRows, type ToolFacts, timeSince } from './item-rows.ts'
import type { SessionFeed } from './session-feed.ts'

/** How many rows of its output a running call shows. */
const OUTPUT_ROWS = 5
/** How much of the end of an output is looked at for that. */
const LOOKED_AT = 4_000
const TODO_ROWS = 8
const TODO_MARKS: Readonly<Record<Todo['state'], string>> = { open: '[ ]', active: '[>]', done: '[x]' }

interface LiveParts {
  readonly look: Look
  readonly tools: ToolFacts
  readonly now: number
}

/** Returns the rows of what goes on now: text being written, calls that run, tasks, the to-do list. The last ones where not all fit. */
export function liveRows(feed: SessionFeed, agents: readonly SessionFeed[], parts: LiveParts): string[] {
  const { look } = parts
  const inner = { ...parts, look: { ...look, columns: look.columns - 4 } }
  const rows = [
    ...feed.live.flatMap((item) => itemLiveRows(item, parts)),
    ...agents.flatMap((agent) => agent.live.flatMap((item) => itemLiveRows(item, inner)).map((row) => `    ${row}`)),
    ...feed.tasks.flatMap((item) => [headRow(item, parts)]),
    ...todoRows(feed, look),
  ]
  return rows.slice(-Math.max(0, look.rows))
}

function itemLiveRows(item: SessionItem, parts: LiveParts): string[] {
  const { look } = parts
  if (item.kind === 'note') return []
  if (item.kind === 'call') return callLiveRows(item, parts)
  // A message that came while calls run waits for them to be written.
  if (!item.isStreaming) return itemRows(item, look, parts.tools)
  if (item.content.trim() === '') return [`  ${look.paint('dim', 'Thinking…')}`]
  // Only the end is seen while it is written, so only the end is wrapped.
  return ['', ...flowLines(item.content.slice(-look.columns * look.rows), look.columns)]
}

function callLiveRows(item: CallItem, parts: LiveParts): string[] {
  const { paint, columns } = parts.look
  const head = headRow(item, parts)
  if (item.state === 'waiting') return [head]
  const cut = item.output.length > LOOKED_AT
  const lines = item.output.slice(-LOOKED_AT).trimEnd().split('\n')
  const rows = lines.flatMap((line) => (line === '' && lines.length === 1 ? [] : wrapInside(line, columns - 4)))
  const above = rows.length - OUTPUT_ROWS
  const folded = cut ? '… earlier output above' : `… ${above} lines above`
  const note =
    above > 0 ? [spread(`    ${paint('dim', folded)}`, paint('dim', '[Ctrl-O] expand'), Math.min(columns, 100))] : []
  return [head, ...note, ...rows.slice(-OUTPUT_ROWS).map((row) => `    ${paint('dim', row)}`)]
}

const STATES: Readonly<Record<CallItem['state'], readonly [icon: string, word: string]>> = {
  started: ['·', ''],
  waiting: ['?', 'waiting for you'],
  queued: ['·', 'queued'],
  running: ['⚙', ''],
  ended: ['✓', ''],
}

function headRow(item: CallItem, { look, tools, now }: LiveParts): string {
  const { paint, columns } = look
  const [icon, word] = STATES[item.state]
  const name = printableLine(item.name.replace(/^mcp_/, ''))
  const facts = [...(item.isTask ? ['[bg]'] : []), ...(item.repairs.length > 0 ? ['[repaired]'] : []), word]
  const right = [...facts.filter((fact) => fact !== ''), timeSince(item.at, now)].join('  ')
  const head = `${paint(item.state === 'waiting' ? 'yellow' : 'cyan', icon)} ${paint('bold', cutToWidth(name, columns - 3))}`
  const main = printableLine(mainArgument(item.arguments, tools.mainOf(item.name)))
  const space = columns - widthOf(head) - widthOf(right) - 3
  const left = main === '' || space < 4 ? head : `${head} ${paint('reset', cutToWidth(main, space))}`
  return spread(left, paint('dim', right), Math.min(columns, 100))
}

function todoRows({ view: { todos, isRunning } }: SessionFeed, { paint, columns }: Look): string[] {
  if (todos.length === 0 || (!isRunning && todos.every(({ state }) => state === 'done'))) return []
  const active = Math.max(0, todos.findIndex(({ state }) => state !== 'done') - 2)
  const first = Math.min(active, Math.max(0, todos.length - TODO_ROWS))
  const shown = todos.slice(first, first + TODO_ROWS)
  const rows = shown.map(({ text, state }) =>
    paint(
      state === 'active' ? 'bold' : 'dim',
      `  ${cutToWidth(`${TODO_MARKS[state]} ${printableLine(text)}`, columns - 4)}`,
    ),
  )
  const left = todos.length - shown.length
  return ['', ...rows, ...(left > 0 ? [paint('dim', `  … ${left} more`)] : [])]
}
