import { copyFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** The largest log whose pages are checked at a start, in bytes; the check of such a log takes a tenth of a second. */
const MAX_CHECKED = 64_000_000
/** SQLite's code for a damaged file. */
const SQLITE_CORRUPT = 11
/** The files of a log: its journal and the index of that belong to it. */
const PARTS = ['', '-wal', '-shm']

/** Finds what SQLite would pass over without a word, before it opens the log and while no other process uses it. Keeps the damaged files aside and returns what to tell the person. */
export function findSilentDamage(path: string): string | undefined {
  // Read before the size: both are made after the first page was written, perhaps by a process that starts just now.
  const wasUsed = existsSync(`${path}-wake`)
  const journal = sizeOf(`${path}-wal`) ?? 0
  const size = sizeOf(path)
  if ((size === 0 && wasUsed) || (!size && journal > 0)) return setAside(path, 'it is empty')
  if (!isJournalCut(path)) return undefined
  const kept = nameAside(path)
  for (const part of ['-wal', '-shm']) if (existsSync(path + part)) copyFileSync(path + part, kept + part)
  return `The journal of the log is damaged: the last changes before Haft ended are missing in ${path}. The journal is kept as ${kept}-wal; what came before it is there.`
}

/** Moves a damaged log aside, with its journal, and returns what to tell the person. Throws where it cannot be moved. */
export function setAside(path: string, reason: string): string {
  const kept = nameAside(path)
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, kept + part)
  return `The log ${path} was damaged: ${reason}. It is kept as ${kept}, and a new log begins; what was logged before cannot be listed or undone.`
}

function nameAside(path: string): string {
  return `${path}.damaged-${new Date().toISOString().slice(0, 23).replace(/[:.]/g, '-')}`
}

/** Checks the pages of a log that has changed since Haft closed it, which is so after a kill too. Throws as SQLite does for a damaged file. */
export function checkPages(database: DatabaseSync, path: string): void {
  if ((sizeOf(path) ?? 0) > MAX_CHECKED || stampOf(path) === readStamp(path)) return
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw Object.assign(new Error(String(found)), { errcode: SQLITE_CORRUPT })
}

/** Notes the state of a log that was closed; that of a log which others still use is not noted. */
export function noteClosed(path: string): void {
  try {
    const stamp = stampOf(path)
    if (!existsSync(`${path}-wal`) && stamp !== readStamp(path)) writeFileSync(`${path}-closed`, stamp, { mode: 0o600 })
  } catch {
    // The next start checks the pages.
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
}

function readStamp(path: string): string | undefined {
  return existsSync(`${path}-closed`) ? readFileSync(`${path}-closed`, 'utf8') : undefined
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/** Where the index of the journal says how many frames are committed and how many of them the log has too, and how long that part is. */
const FRAMES = 16
const MOVED = 96
const INDEX_HEAD = 136

/** True where the index of the journal knows of more committed frames than the journal has: SQLite reads up to the first damaged one and drops the rest. */
function isJournalCut(path: string): boolean {
  const index = readPart(`${path}-shm`).subarray(0, INDEX_HEAD)
  if (index.length < INDEX_HEAD || index.readUInt32LE(FRAMES) <= index.readUInt32LE(MOVED)) return false
  const journal = readPart(`${path}-wal`)
  const isSame = journal.length > 32 && journal.subarray(16, 24).equals(index.subarray(32, 40))
  if (isSame && countFrames(journal) >= index.readUInt32LE(FRAMES)) return false
  // Another process may have begun to use the log, or have closed it, while this one looked.
  return readPart(`${path}-shm`).subarray(0, INDEX_HEAD).equals(index)
}

/** Nothing where the file is missing: the process that closes the log last removes it. */
function readPart(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** The number of undamaged frames at the start of a journal, by the checksums of SQLite's file format. */
function countFrames(journal: Buffer): number {
  const isBigEndian = (journal.readUInt32BE(0) & 1) === 1
  const frame = 24 + journal.readUInt32BE(8)
  let [a, b] = [0, 0]
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 8) {
      a = (a + (isBigEndian ? journal.readUInt32BE(at) : journal.readUInt32LE(at)) + b) >>> 0
      b = (b + (isBigEndian ? journal.readUInt32BE(at + 4) : journal.readUInt32LE(at + 4)) + a) >>> 0
    }
  }
  const isRight = (at: number) => journal.readUInt32BE(at) === a && journal.readUInt32BE(at + 4) === b
  add(0, 24)
  if (!isRight(24)) return 0
  let count = 0
  for (let at = 32; at + frame <= journal.length; at += frame) {
    add(at, at + 8)
    add(at + 24, at + frame)
    if (!isRight(at + 16) || !journal.subarray(at + 8, at + 16).equals(journal.subarray(16, 24))) break
    count++
  }
  return count
}
