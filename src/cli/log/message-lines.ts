import type { LogReader } from '../../app/home-options.ts'
import type { Event } from '../../core/session/event.ts'
import { showMoment } from '../../core/terminal/since.ts'
import { cutToWidth } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'
import { paint } from '../terminal/front-end.ts'

type MessageEvent = Extract<Event, { type: 'message' }>

/** Returns the messages of a session, without the system prompt and without data that is never shown. */
export async function messagesOf(log: LogReader, session: string): Promise<readonly Omit<MessageEvent, 'wire'>[]> {
  return (await log.read({ session }))
    .filter((event): event is MessageEvent => event.type === 'message' && event.role !== 'system')
    .map(({ wire: _, ...message }) => message)
}

/** The longest message where there is no terminal. */
const LONGEST = 160

/** Returns one line per message: time, who wrote it, the start of the text or the calls it makes. `haft sessions ID` shows all of it. */
export function messageLines(messages: readonly Omit<MessageEvent, 'wire'>[], columns: number): string[] {
  return messages.map(({ at, role, content, isNotice, calls = [] }) => {
    const head = `${showMoment(at, Date.now())}  ${isNotice ? 'haft ' : role === 'user' ? 'you  ' : 'model'}  `
    const text = content.trim() || `calls ${calls.map(({ name }) => name).join(', ')}`
    const shown = cutToWidth(printableLine(text), Math.min(LONGEST, columns - head.length))
    return `${paint('dim', head)}${paint('reset', shown)}`
  })
}
