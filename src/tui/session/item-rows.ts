import { drawSession } from '../../core/session/draw-session.ts'
import type { CallItem, MessageItem, NoteItem, SessionItem } from '../../core/session/session-view.ts'
import { isTodoCount } from '../../core/terminal/call-facts.ts'
import { type CallLook, callLines } from '../../core/terminal/call-lines.ts'
import { flowLines } from '../../core/terminal/flow-text.ts'
import { noteLines, noticeLines } from '../../core/terminal/note-lines.ts'
import { cutToWidth, hangText, widthOf } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { type Look, spread } from '../look.ts'

/** What is known of the tools of a session. */
export interface ToolFacts {
  /** The name of a tool's main parameter. */
  mainOf(tool: string): string | undefined
  /** True for tools whose call ends the run; the summary of the run shows what they say. */
  endsRun(tool: string): boolean
}

/** Returns the rows of an item that no longer changes. None for what a person need not see. */
export function itemRows(item: SessionItem, look: Look, tools: ToolFacts): string[] {
  if (item.kind === 'message') return messageRows(item, look)
  if (item.kind === 'note') return noteRows(item, look)
  if (item.result && (isTodoCount(item.result) || (item.result.ok && tools.endsRun(item.name)))) return []
  return callRows(item, look, tools)
}

/** Returns the rows of a call; one that a person denied says so in words. */
export function callRows(item: CallItem, look: Look, tools: ToolFacts): string[] {
  const lines = callLines(item, callLook(look, tools))
  const sent = editedFrom(item)
  if (sent === undefined) return lines
  const note = cutToWidth(`model sent: ${printableLine(sent)}`, look.columns - 6)
  return [...lines.slice(0, 1), `    ${look.paint('dim', note)}`, ...lines.slice(1)]
}

export function callLook({ paint, columns }: Look, { mainOf }: ToolFacts): CallLook {
  return { paint, columns, mainOf, expand: 'Ctrl-O' }
}

/** The arguments that the model had sent, where a person changed them. */
function editedFrom({ approvals }: CallItem): string | undefined {
  const edited = approvals.find(({ answer }) => answer?.isEdited === true)
  const { preview } = edited ?? {}
  return preview?.kind === 'command' ? preview.text : undefined
}

function messageRows({ role, content, reasoning, attachments, isNotice }: MessageItem, look: Look): string[] {
  const { paint, columns } = look
  if (role === 'system') return []
  if (isNotice) return noticeLines(content, look)
  if (role === 'user') {
    const files = attachments.map(
      ({ name }) => `    ${paint('dim', cutToWidth(`@${printableLine(name)}`, columns - 6))}`,
    )
    return ['', ...userRows(content, look), ...files]
  }
  return [...thoughtRows(reasoning, look), ...(content.trim() === '' ? [] : ['', ...flowLines(content, columns)])]
}

/** The most rows of a person's own message that are shown again. */
const OWN_ROWS = 12

function userRows(content: string, { paint, columns }: Look): string[] {
  const rows = flowLines(content, columns).map((row) => paint('bold', row.slice(2)))
  const shown =
    rows.length <= OWN_ROWS
      ? rows
      : [...rows.slice(0, OWN_ROWS - 1), paint('dim', `… ${rows.length - OWN_ROWS + 1} more lines`)]
  return shown.map((row, index) => `${index === 0 ? paint('cyan', '>') : ' '} ${row}`)
}

/** The last line of what the model thought, and how to see the rest. */
function thoughtRows(reasoning: string, { paint, columns }: Look): string[] {
  const lines = reasoning
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const last = `Thought: ${printableLine(lines.at(-1) ?? '')}`
  if (lines.length === 0) return []
  const width = Math.min(columns, 100) - 3
  if (lines.length === 1 && widthOf(last) <= width) return [`  ${paint('dim', last)}`]
  const hint = 'Ctrl-T shows all'
  return [`  ${paint('dim', spread(cutToWidth(last, width - hint.length - 2), hint, width))}`]
}

const ENDS: Readonly<Record<string, readonly [sign: string, word: string]>> = {
  complete: ['✓', 'Done'],
  reply: ['✓', ''],
  limit: ['!', 'Cut off'],
  loop: ['!', 'Stopped: the model repeats itself'],
  cancelled: ['⊘', 'Stopped. Write a message to go on.'],
  failed: ['✗', 'Failed'],
}

function noteRows({ event }: NoteItem, look: Look): string[] {
  const { paint, columns } = look
  if (event.type === 'run-stop' && event.by === 'terminal') return []
  if (event.type !== 'run-end') return noteLines(event, look)
  const { reason, summary = '' } = event
  const [sign, word] = ENDS[reason] ?? ['', reason]
  const isAnswer = reason === 'complete' || reason === 'reply'
  const text = reason === 'complete' && summary.trim() !== '' ? ['', ...flowLines(summary, columns)] : []
  if (word === '') return text
  const style = isAnswer ? 'green' : reason === 'cancelled' ? 'dim' : 'red'
  const next = reason === 'limit' ? ' Press Enter to go on.' : ''
  const why = !isAnswer && summary !== '' && reason !== 'cancelled' ? `${word}: ${summary}${next}` : word
  return [...text, ...hangText(`${paint(style, sign)} `, paint(isAnswer ? 'dim' : 'reset', why), columns)]
}

/** Returns the row of a background task that has begun. */
export function taskStartRows(item: CallItem, look: Look, tools: ToolFacts): string[] {
  const { result: _, duration: __, ...open } = item
  return callLines({ ...open, output: '', isTask: true }, callLook(look, tools))
}

/** Returns the time since a moment: `42 s`, `2m 10s`, `1h 5m`. */
export function timeSince(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** An empty session. */
export const NO_SESSION = drawSession([])
