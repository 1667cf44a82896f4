import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { isRecord } from '../core/text/json.ts'
import type { PostingsData } from './postings.ts'

/** Changes whenever pieces are made in another way. */
const VERSION = 1

/** The largest file that is written or read, in bytes. */
const MAX_BYTES = 200_000_000

/** A file of the workspace in the index: when it was read, and its pieces. */
export interface IndexedFile {
  readonly modified: string
  readonly size: number
  readonly pieces: readonly number[]
}

/** What is kept of an index between two processes. */
export interface KeptIndex {
  readonly files: ReadonlyMap<string, IndexedFile>
  readonly postings: PostingsData
}

/** Reads an index; undefined if there is none, or it is broken or of another version: then it is made anew. */
export function readIndex(path: string, workspace: string): KeptIndex | undefined {
  const kept = readCache(path)
  if (!isRecord(kept) || kept.version !== VERSION || kept.workspace !== workspace) return undefined
  return kept.index as KeptIndex
}

/** Reads a value that an earlier process kept; undefined if there is none, or it is broken or too large. */
export function readCache(path: string): unknown {
  try {
    return statSync(path).size > MAX_BYTES ? undefined : deserialize(readFileSync(path))
  } catch {
    // It is only a cache.
    return undefined
  }
}

/** Writes an index, completely or not at all. A failure leaves the old one. */
export function writeIndex(path: string, workspace: string, index: KeptIndex): void {
  writeCache(path, { version: VERSION, workspace, index })
}

/** Keeps a value for later processes, completely or not at all. */
export function writeCache(path: string, value: unknown): void {
  try {
    const bytes = serialize(value)
    if (bytes.length > MAX_BYTES) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${process.pid}.tmp`
    writeFileSync(temporary, bytes, { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    // It is only a cache.
  }
}
