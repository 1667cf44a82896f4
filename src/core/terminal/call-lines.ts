import type { CallItem } from '../session/session-view.ts'
import { printable, printableLine } from '../text/printable.ts'
import { factsOf, mainArgument, outputOf } from './call-facts.ts'
import { wrapInside } from './request-lines.ts'
import { showDuration } from './since.ts'
import { type Paint, type Style, styleOfDiff } from './style.ts'
import { cutToWidth, hangText, widthOf, wrapWords } from './text-width.ts'

/** How calls are shown. */
export interface CallLook {
  /** Adds colours for the stream; also escapes control characters. */
  readonly paint: Paint
  /** The width of the terminal; infinite where there is none. */
  readonly columns: number
  /** Returns the name of a tool's main parameter. */
  mainOf?(tool: string): string | undefined
  /** How the folded part of the last call is shown in full, beside `haft log`. */
  readonly expand?: string
}

/** The most rows of output below a call; the log has the rest. */
const SHOWN = 10
/** How many of them are the last ones. */
const LAST = 5
/** Facts are aligned to the right within so many columns, so that they stay near the name. */
const WIDEST = 100
/** In fewer columns the facts go below the name. */
const WIDE_ENOUGH = 60

/** Returns the lines of a call: its state, name, main argument, facts and duration, and the first rows of its output. */
export function callLines(item: CallItem, look: CallLook): string[] {
  return [...headLines(item, look), ...outputLines(item, look)]
}

/** Returns the lines of a call whose change the person has just seen and approved: without the diff, unless they changed the arguments. */
export function approvedLines(item: CallItem, look: CallLook): string[] {
  return outputOf(item).isDiff && !isEdited(item) ? headLines(item, look) : callLines(item, look)
}

function headLines(item: CallItem, { paint, columns: all, mainOf }: CallLook): string[] {
  const columns = Number.isFinite(all) ? Math.min(all, WIDEST) : all
  const { icon, style } = stateOf(item)
  // A model may call a tool by any name, also one with line breaks.
  const name = printableLine(item.name.replace(/^mcp_/, ''))
  const main = mainArgument(item.arguments, mainOf?.(item.name))
  const marks = [...(item.repairs.length > 0 ? ['[repaired]'] : []), ...(isEdited(item) ? ['[edited]'] : [])]
  const time = item.duration === undefined ? [] : [showDuration(item.duration)]
  const right = [...marks, ...(item.isTask ? ['[bg]'] : []), ...factsOf(item.result), ...time].join('  ')
  const head = `${paint(style, icon)} ${paint('bold', cutToWidth(name, columns - 2))}`
  const isBelow = columns < WIDE_ENOUGH
  const space = columns - 3 - widthOf(name) - (isBelow ? 0 : widthOf(right) + 2)
  const argument = main === '' || space < 4 ? '' : ` ${cutToWidth(main, Math.min(space, LONGEST))}`
  const left = `${head}${paint('reset', argument)}`
  if (right === '') return [left]
  if (isBelow) return [left, `    ${paint('dim', right)}`]
  const gap = Number.isFinite(columns) ? Math.max(2, columns - widthOf(left) - widthOf(right)) : 2
  return [`${left}${' '.repeat(gap)}${paint('dim', right)}`]
}

/** The longest argument where there is no terminal. */
const LONGEST = 160

function outputLines(item: CallItem, { paint, columns, expand }: CallLook): string[] {
  const { text, isDiff, problem } = outputOf(item)
  // What task_complete says is its argument too, which the line above shows where it is short.
  const isShown = text.length < columns / 2 && text === mainArgument(item.arguments)
  const inside = (lines: readonly string[], styleOf: (line: string) => Style) =>
    lines.flatMap((line) => wrapInside(line, columns - 2).map((row) => `    ${paint(styleOf(line), row)}`))
  const printed = text.trim() === '' || isShown ? [] : text.trimEnd().split('\n')
  const prose = problem.trim() === '' ? [] : wrapWords(printable(problem.trimEnd()), columns - 5)
  const rows = [...inside(printed, (line) => (isDiff ? styleOfDiff(line) : 'dim')), ...inside(prose, () => 'reset')]
  if (rows.length <= SHOWN) return rows
  const how = `${expand === undefined ? '' : `${expand}, or `}haft log ${item.call}`
  const note = `… ${rows.length - SHOWN + 1} more lines: ${how}`
  const folded = hangText('    ', paint('dim', note), columns)
  // The end of an output says how it went; a diff is read from its start.
  const last = isDiff ? 0 : LAST
  return [...rows.slice(0, SHOWN - 1 - last), ...folded, ...rows.slice(rows.length - last)]
}

/** True where a person changed the arguments before they approved. */
function isEdited({ approvals }: CallItem): boolean {
  return approvals.some(({ answer }) => answer?.isEdited === true)
}

/** Returns the sign of a call's state, which tells it without colours too. */
function stateOf({ result, state }: CallItem): { icon: string; style: Style } {
  if (result === undefined) return state === 'waiting' ? { icon: '?', style: 'yellow' } : { icon: '⚙', style: 'cyan' }
  if (result.ok) return { icon: '✓', style: 'green' }
  if (result.code === 'BLOCKED' || result.code === 'DENIED') return { icon: '⊘', style: 'red' }
  if (result.code === 'CANCELLED') return { icon: '⊘', style: 'dim' }
  return result.code === 'INTERRUPTED' ? { icon: '!', style: 'yellow' } : { icon: '✗', style: 'red' }
}
