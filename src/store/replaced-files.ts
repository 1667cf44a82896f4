import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { CallRecord } from '../core/call-record.ts'
import type { Kept } from '../core/files.ts'
import type { ChangedFilter, KeptReplaced } from '../core/store.ts'
import { DEFAULT_LIMIT } from './match-call.ts'
import { callOf } from './read-calls.ts'

/** The largest content that is kept for undo when the settings do not say, in bytes. */
export const MAX_CONTENT = 50_000_000

/** What changes of files replaced. */
export interface ReplacedFiles {
  /** Commits the record and its content before it returns. */
  keep(record: KeptReplaced): void
  by(call: string): KeptReplaced[]
  changedCalls(filter: ChangedFilter): CallRecord[]
}

/** Prepares the statements; a content over the limit is not kept. */
export function createReplacedFiles(database: DatabaseSync, limit: number): ReplacedFiles {
  const addContent = database.prepare('INSERT OR IGNORE INTO contents VALUES (?, ?)')
  const addRecord = database.prepare('INSERT INTO replaced (call, workspace, at, body, content) VALUES (?, ?, ?, ?, ?)')
  const records = database.prepare(
    'SELECT r.body, r.workspace, c.bytes FROM replaced r LEFT JOIN contents c ON c.hash = r.content WHERE r.call = ? ORDER BY r.id',
  )
  return {
    keep({ workspace, ...record }) {
      const bytes = bytesOf(record.before)
      const content = bytes && bytes.length <= limit ? createHash('sha256').update(bytes).digest('hex') : null
      const body = JSON.stringify({ ...record, before: withBytes(record.before, null) })
      database.exec('BEGIN IMMEDIATE')
      try {
        if (bytes && content !== null) addContent.run(content, bytes)
        addRecord.run(record.call, workspace, Date.now(), body, content)
        database.exec('COMMIT')
      } catch (thrown) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw thrown
      }
    },
    by: (call) =>
      records.all(call).map(({ body, workspace, bytes }) => {
        // The row was written by `keep`: what its text says is a record without its bytes.
        const record = JSON.parse(String(body)) as KeptReplaced
        const before = withBytes(record.before, bytes instanceof Uint8Array ? bytes : null)
        return { ...record, before, workspace: String(workspace) }
      }),
    changedCalls: (filter) => readChangedCalls(database, filter),
  }
}

function readChangedCalls(database: DatabaseSync, filter: ChangedFilter): CallRecord[] {
  const { session, workspace, limit = DEFAULT_LIMIT } = filter
  const there = `call IN (SELECT call FROM replaced ${workspace === undefined ? '' : 'WHERE workspace = ?'})`
  const terms = [there, ...(session === undefined ? [] : ['session = ?'])]
  const values = [workspace, session].filter((value) => value !== undefined)
  const rows = database.prepare(`SELECT * FROM calls WHERE ${terms.join(' AND ')} ORDER BY seq DESC LIMIT ?`)
  return rows.all(...values, limit).map(callOf)
}

function bytesOf(kept: Kept | null): Uint8Array | null {
  return kept?.type === 'file' ? kept.bytes : null
}

function withBytes(kept: Kept | null, bytes: Uint8Array | null): Kept | null {
  return kept?.type === 'file' ? { ...kept, bytes } : kept
}
