import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileChange, KeptChange, KeptContent } from '../core/file-change.ts'

/** The largest content that is kept for undo when the settings do not say, in bytes. */
export const MAX_CONTENT = 50_000_000

/** How much of a content is written in one go: other work comes between. */
const PIECE = 1_000_000

/** The hash a content is kept under. */
export function hashContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Why a content over the limit is not kept. */
export function tooLarge(size: number, limit: number): string {
  const mb = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
  return `The content of ${mb(size)} is over the limit of ${mb(limit)} (log.max_content_mb), so it is not kept and cannot be put back by undo`
}

/** Contents by hash, each once, and the changes that name them. */
export interface KeptFiles {
  keepContent(bytes: Uint8Array): Promise<KeptContent>
  content(hash: string): Uint8Array | undefined
  changes(filter: { readonly session?: string; readonly callSeq?: number }): KeptChange[]
}

/** Prepares the statements; a content is whole when all its pieces are there. */
export function createKeptFiles(database: DatabaseSync, limit: number): KeptFiles {
  const insert = database.prepare('INSERT OR IGNORE INTO contents VALUES (?, ?, ?, ?, ?)')
  const touch = database.prepare('UPDATE contents SET at = ? WHERE hash = ? AND piece = 0')
  const count = database.prepare('SELECT count(*) AS there, max(pieces) AS pieces FROM contents WHERE hash = ?')
  const pieces = database.prepare('SELECT bytes FROM contents WHERE hash = ? ORDER BY piece')
  const bySession = database.prepare('SELECT id, at, body FROM changes WHERE session = ? ORDER BY id DESC')
  const byCall = database.prepare('SELECT id, at, body FROM changes WHERE call_seq = ? ORDER BY id DESC')
  const isWhole = (hash: string): boolean => {
    const row = count.get(hash)
    return Number(row?.there) > 0 && row?.there === row?.pieces
  }
  return {
    async keepContent(bytes) {
      const hash = hashContent(bytes)
      if (bytes.length > limit) return { kept: false, hash, reason: tooLarge(bytes.length, limit) }
      const of = Math.max(1, Math.ceil(bytes.length / PIECE))
      if (isWhole(hash)) touch.run(Date.now(), hash)
      else
        for (let piece = 0; piece < of; piece++) {
          if (piece > 0) await nextTurn()
          insert.run(hash, piece, of, Date.now(), bytes.subarray(piece * PIECE, (piece + 1) * PIECE))
        }
      return { kept: true, hash }
    },
    content(hash) {
      if (!isWhole(hash)) return undefined
      return Buffer.concat(pieces.all(hash).map((row) => row.bytes as Uint8Array))
    },
    changes({ session, callSeq }) {
      const rows = callSeq === undefined ? bySession.all(session ?? '') : byCall.all(callSeq)
      // The rows were written by us: what their text says is a FileChange.
      return rows.map((row) => ({
        ...(JSON.parse(String(row.body)) as FileChange),
        id: Number(row.id),
        at: Number(row.at),
      }))
    },
  }
}
