import type { SessionItem, SessionView } from '../../core/session/session-view.ts'
import { type CallLook, callLines } from '../../core/terminal/call-lines.ts'
import { flowLines } from '../../core/terminal/flow-text.ts'
import { noteLines } from '../../core/terminal/note-lines.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { cutToWidth } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'

/** Returns a session as lines: its messages and calls in order. The system prompt is left out. */
export function transcriptLines({ items, todos, session }: SessionView, look: CallLook): string[] {
  const lines = items.flatMap((item) => itemLines(item, look))
  const list = { type: 'todos', session, items: todos, id: '', at: 0 } as const
  return [...lines, ...noteLines(list, look)]
}

function itemLines(item: SessionItem, look: CallLook): string[] {
  const { paint, columns } = look
  if (item.kind === 'call') return callLines(item, look)
  if (item.kind === 'note') return endLines(item.event, look)
  if (item.role === 'system') return []
  const at = showMoment(item.at, Date.now())
  const head = `${paint('bold', item.role === 'user' ? '> You' : '  Model')} ${paint('dim', at)}`
  const files = item.attachments.map(({ name }) => paint('dim', `  attached: ${printableLine(name)}`))
  const thought = item.reasoning.trim()
  const reasoning = thought === '' ? [] : [paint('dim', `  ${cutToWidth(printableLine(thought), columns - 3)}`)]
  const text = item.content.trim() === '' ? [] : flowLines(item.content, columns)
  return text.length + files.length + reasoning.length === 0 ? [] : [head, ...reasoning, ...text, ...files]
}

/** The end of a run, and notes between messages. */
function endLines(
  event: Extract<SessionItem, { kind: 'note' }>['event'],
  look: Pick<CallLook, 'paint' | 'columns'>,
): string[] {
  if (event.type !== 'run-end') return noteLines(event, look)
  const { reason, summary = '', steps } = event
  const word = `  run ended: ${reason}, ${steps} ${steps === 1 ? 'step' : 'steps'}`
  // The text of a reply is the message above, that of task_complete is in its call.
  const text = reason === 'reply' || reason === 'complete' || summary === '' ? [] : flowLines(summary, look.columns)
  return [...text, look.paint('dim', word)]
}
