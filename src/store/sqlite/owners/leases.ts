import type { DatabaseSync } from 'node:sqlite'
import type { Leases } from '../../../core/ports/leases.ts'
import type { Event, EventBody } from '../../../core/session/event.ts'
import type { Eraser } from '../database/erase.ts'
import { reading } from '../read/reading.ts'
import type { WriteBehind } from '../write/write-behind.ts'
import type { EventWriter } from '../write/write-events.ts'
import { deleteSessions } from './delete-sessions.ts'
import { isOwnerDead, type OwnerLock } from './owner-lock.ts'
import { endCallsOf } from './recover.ts'

/** The parts of the storage that leases use. */
export interface LeaseParts {
  readonly database: DatabaseSync
  readonly lockFolder: string
  readonly ownerLock: OwnerLock
  readonly behind: WriteBehind
  readonly events: EventWriter
  readonly eraser: Eraser
  /** Adds id and time to an event and masks it, without queueing it. */
  stamp(body: EventBody): Event
}

/** Creates the leases. A lease is a column of the session's row that names a process; it is valid while that process lives. */
export function createLeases(parts: LeaseParts): Leases {
  const { database, lockFolder, ownerLock, behind, events, eraser } = parts
  const find = database.prepare('SELECT holder FROM sessions WHERE session = ?')
  const findAll = database.prepare(
    'SELECT session, holder FROM sessions WHERE holder IS NOT NULL AND session IN (SELECT value FROM json_each(?))',
  )
  const note =
    database.prepare(`INSERT INTO sessions (session, started_at, last_at, calls, holder, last_message) VALUES (?, ?, ?, 0, ?, ?)
    ON CONFLICT (session) DO UPDATE SET last_at = excluded.last_at, holder = excluded.holder, last_message = excluded.last_message,
    deleted_at = NULL`)
  const release = database.prepare(
    'UPDATE sessions SET holder = NULL WHERE session = ? AND holder = ? AND coalesce(last_message, 0) <= ?',
  )
  const take = database.prepare('UPDATE sessions SET holder = ? WHERE session = ?')
  const ownersOf = database.prepare(
    `SELECT owner FROM calls WHERE session = ? AND outcome IS NULL AND owner IS NOT NULL
     UNION SELECT holder FROM sessions WHERE session = ? AND holder IS NOT NULL`,
  )
  const isWorking = database.prepare(
    'SELECT 1 FROM calls WHERE session = ? AND outcome IS NULL AND owner IS NOT NULL AND task IS NULL',
  )
  const holderOf = (session: string): string | undefined => {
    const holder = find.get(session)?.holder
    return typeof holder === 'string' ? holder : undefined
  }
  const lives = (owner: string) => owner === ownerLock.owner || !isOwnerDead(lockFolder, owner)
  return {
    async claim(session, message) {
      const event = parts.stamp({ type: 'message', session, ...message })
      return behind.transact(() => {
        const holder = holderOf(session)
        const isHolder = holder === undefined || !lives(holder)
        if (isHolder && holder !== undefined) eraser.overwrite(() => endCallsOf(holder, parts, session))
        const cursor = events.writeOne(event)
        note.run(session, event.at, event.at, isHolder ? ownerLock.owner : (holder ?? null), cursor)
        return { isHolder, cursor, event }
      })
    },
    async takeOver(session, isFree = false) {
      return behind.transact(() => {
        const dead = ownersOf
          .all(session, session)
          .map((row) => String(row.owner))
          .filter((owner) => !lives(owner))
        for (const owner of dead) eraser.overwrite(() => endCallsOf(owner, parts))
        const holder = holderOf(session)
        if ((holder === undefined ? !isFree : lives(holder)) || isWorking.get(session)) return false
        take.run(ownerLock.owner, session)
        return true
      })
    },
    async end(session, seen) {
      return behind.transact(() => release.run(session, ownerLock.owner, seen).changes === 1)
    },
    async holders(sessions) {
      const rows = reading(() => findAll.all(JSON.stringify(sessions)))
      const dead = new Set([...new Set(rows.map(({ holder }) => String(holder)))].filter((one) => !lives(one)))
      return new Map(rows.map(({ session, holder }) => [String(session), dead.has(String(holder)) ? 'dead' : 'alive']))
    },
    async isHeld(session) {
      const holder = reading(() => holderOf(session))
      return holder !== undefined && lives(holder)
    },
    async delete(session) {
      const isDeleted = eraser.overwrite(() =>
        behind.transact(() => deleteSessions(session, { database, lives, events, stamp: parts.stamp })),
      )
      if (isDeleted) eraser.emptyWal()
      return isDeleted
    },
  }
}
