import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Kept } from '../../core/ports/files.ts'
import type { KeptReplaced, UndoStore } from '../../core/ports/undo-store.ts'
import { DEFAULT_LIMIT } from '../match-call.ts'
import { describeProblem, unavailable } from './database/problem.ts'
import type { WriteBehind } from './write/write-behind.ts'

/** The default for the largest content kept for undo, in bytes. */
export const MAX_CONTENT = 50_000_000

/** The parts of the storage that undo records use. */
export interface UndoParts {
  readonly database: DatabaseSync
  readonly path: string
  readonly behind: WriteBehind
  /** The largest content that is kept, in bytes. */
  readonly maxContent: number
}

/** Prepares the statements. */
export function createUndoRecords({
  database,
  path,
  behind,
  maxContent,
}: UndoParts): Pick<UndoStore, 'keep' | 'keepAll' | 'forget' | 'by' | 'changedCalls' | 'interruptedUndos'> {
  const addContent = database.prepare('INSERT OR IGNORE INTO contents VALUES (?, ?)')
  const addRecord = database.prepare('INSERT INTO replaced (call, workspace, at, body, content) VALUES (?, ?, ?, ?, ?)')
  const records = database.prepare(
    'SELECT r.body, r.workspace, c.bytes FROM replaced r LEFT JOIN contents c ON c.hash = r.content WHERE r.call = ? ORDER BY r.id',
  )
  const changed = database.prepare('SELECT call FROM replaced GROUP BY call ORDER BY max(id) DESC LIMIT ?')
  const changedThere = database.prepare(
    'SELECT call FROM replaced WHERE workspace = ? GROUP BY call ORDER BY max(id) DESC LIMIT ?',
  )
  const remove = database.prepare('DELETE FROM replaced WHERE call = ?')
  const interrupted = database.prepare(`SELECT DISTINCT u.undo FROM undoing u JOIN calls c ON c.call = u.undo
    WHERE c.outcome = 'INTERRUPTED' AND EXISTS (SELECT 1 FROM replaced r WHERE r.call = u.undo AND r.workspace = ?)`)
  const insert = ({ workspace, ...record }: KeptReplaced): void => {
    const bytes = bytesOf(record.before)
    const content = bytes && bytes.length <= maxContent ? createHash('sha256').update(bytes).digest('hex') : null
    const body = JSON.stringify({ ...record, before: withBytes(record.before, null) })
    if (bytes && content !== null) addContent.run(content, bytes)
    addRecord.run(record.call, workspace, Date.now(), body, content)
  }
  /** Does the work in one transaction, after what was written before it. */
  const commit = (work: () => void): void => {
    if (!behind.flush()) throw unavailable(behind.problem() ?? 'The log cannot be written.')
    try {
      database.exec('BEGIN IMMEDIATE')
      work()
      database.exec('COMMIT')
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw unavailable(describeProblem(thrown, path))
    }
  }
  return {
    keep: (record) => commit(() => insert(record)),
    keepAll: (all) => commit(() => all.forEach(insert)),
    forget: (call) => commit(() => void remove.run(call)),
    interruptedUndos: (workspace) => interrupted.all(workspace).map(({ undo }) => String(undo)),
    by: (call) =>
      records.all(call).map(({ body, workspace, bytes }) => {
        // `keep` wrote the row, so its JSON is a record without its bytes.
        const record = JSON.parse(String(body)) as KeptReplaced
        const before = withBytes(record.before, bytes instanceof Uint8Array ? bytes : null)
        return { ...record, before, workspace: String(workspace) }
      }),
    changedCalls({ workspace, limit = DEFAULT_LIMIT } = {}) {
      const rows = workspace === undefined ? changed.all(limit) : changedThere.all(workspace, limit)
      return rows.map(({ call }) => String(call))
    },
  }
}

function bytesOf(kept: Kept | null): Uint8Array | null {
  return kept?.type === 'file' ? kept.bytes : null
}

function withBytes(kept: Kept | null, bytes: Uint8Array | null): Kept | null {
  return kept?.type === 'file' ? { ...kept, bytes } : kept
}
