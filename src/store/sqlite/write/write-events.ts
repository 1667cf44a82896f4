import type { DatabaseSync } from 'node:sqlite'
import { type Event, isDelta } from '../../../core/session/event.ts'
import { eventText } from './event-text.ts'
import { streamOf, type Waiting } from './pending.ts'

/** The most events and characters in a row, which must be read to get one of them. */
const ROW_EVENTS = 128
const ROW_TEXT = 256_000

/** Writes events inside a transaction and assigns cursors. Events that reach a call from elsewhere or after its end belong to it too. */
export interface EventWriter {
  /** Called first in every transaction that writes events; reads the next cursor. */
  begin(): void
  /** Writes the events of one session, in order. */
  write(session: string, waiting: readonly Waiting[]): void
  /** Writes one event; returns its cursor. */
  writeOne(event: Event): number
  /** Returns a cursor that no event uses. */
  skip(): number
  /** Called last in the transaction. */
  end(): void
}

/** Prepares the statements; `writer` is the id prefix of this process. */
export function createEventWriter(database: DatabaseSync, writer: string): EventWriter {
  const read = database.prepare('SELECT next FROM counter')
  const save = database.prepare('UPDATE counter SET next = ?')
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)')
  const extendCall = database.prepare('UPDATE calls SET last_cursor = max(last_cursor, ?) WHERE call = ?')
  let next = 0

  const write = (session: string, waiting: readonly Waiting[]): void => {
    let first = next
    let body = ''
    const endRow = (at: number, stream: string | null): void => {
      insert.run(next - 1, first, at, session, writer, stream, `${body}]`)
      first = next
      body = ''
    }
    for (let i = 0; i < waiting.length; i++) {
      const { event, kept, call } = waiting[i] as Waiting
      const isPiece = isDelta(event)
      const before = waiting[i - 1]
      if (isPiece && body !== '') endRow(before?.event.at ?? event.at, null)
      body += `${body === '' ? '[' : ','}${eventText(event, writer, kept)}`
      if (call) {
        if (event.type === 'call-start') call.record.cursor = next
        call.lastCursor = next
      } else if ('call' in event && !isPiece) extendCall.run(next, event.call)
      next++
      if (isPiece) endRow(event.at, streamOf(event))
      else if (next - first >= ROW_EVENTS || body.length >= ROW_TEXT || i === waiting.length - 1) endRow(event.at, null)
    }
  }

  return {
    begin() {
      next = Number(read.get()?.next)
    },
    write,
    writeOne(event) {
      write(event.session, [{ event, kept: undefined, call: undefined }])
      return next - 1
    },
    skip: () => next++,
    end: () => void save.run(next),
  }
}
