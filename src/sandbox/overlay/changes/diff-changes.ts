import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_READ, textOf } from '../../../core/text/file-text.ts'
import { printableLine } from '../../../core/text/printable.ts'
import { readAll } from '../../../files/read/read-all.ts'
import { isReadable, lstatIfExists } from '../../../files/stat-path.ts'
import type { AppliedChange, Sides } from './find-changes.ts'

/** How much of one file and of all files is shown, in characters. */
const SHOWN_OF_ONE = 20_000
const SHOWN_OF_ALL = 200_000

/** The time limit for all comparisons, in milliseconds. */
const PATIENCE = 2_000

/** Returns the changes as a unified diff. Files that are binary or too large are only named, with the reason. */
export async function diffChanges(changes: readonly AppliedChange[], sides: Sides): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const end = performance.now() + PATIENCE
  const compare: Compare = (name, before, after) =>
    createTwoFilesPatch(...headsOf(name, before, after), before.text ?? '', after.text ?? '', undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
      timeout: Math.max(1, end - performance.now()),
    })
  const parts: string[] = []
  let length = 0
  const shown = changes.filter((change, index) => !isFilledFolder(change, changes[index + 1]))
  for (const [index, change] of shown.entries()) {
    if (length > SHOWN_OF_ALL) {
      parts.push(`… and ${shown.length - index} more changes that are not shown\n`)
      break
    }
    const part = cut(diffChange(change, sides, compare))
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

/** Compares what lies at two places, either of which may hold nothing, as a unified diff of one path. */
export async function diffEntries(
  path: string,
  { before, after }: { readonly before: string; readonly after: string | undefined },
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const compare: Compare = (name, from, to) =>
    createTwoFilesPatch(...headsOf(name, from, to), from.text ?? '', to.text ?? '', undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
      timeout: PATIENCE,
    })
  return cut(diffSides(path, readSide(before), after === undefined ? NOTHING : readSide(after), compare))
}

type Compare = (name: string, before: Side, after: Side) => string | undefined

/** The state of a path on one side. */
interface Side {
  /** A description; undefined when nothing exists there. */
  readonly words?: string
  /** The text, when it can be compared line by line. */
  readonly text?: string
  /** The mode of a file or folder. */
  readonly mode?: number
}

const NOTHING: Side = { text: '' }

function diffChange({ kind, path }: AppliedChange, { lower, merged, unlocked }: Sides, compare: Compare): string {
  const before = kind === 'added' ? NOTHING : readSide(join(lower, path))
  const seen = kind === 'deleted' ? NOTHING : readSide(join(merged, path))
  const mode = unlocked.get(path)
  return diffSides(path, before, mode === undefined ? seen : { ...seen, mode }, compare)
}

function diffSides(path: string, before: Side, after: Side, compare: Compare): string {
  const name = printableLine(path)
  const [from, to] = headsOf(name, before, after)
  const areTexts = before.text !== undefined && after.text !== undefined
  const diff = areTexts ? compare(name, before, after) : undefined
  const notes = [
    ...(diff === undefined ? [`${before.words ?? 'nothing'} → ${after.words ?? 'nothing'}`] : []),
    ...(areTexts && diff === undefined ? ['too different to show line by line'] : []),
    ...(before.words !== undefined && after.words !== undefined && before.text === after.text && areTexts
      ? ['the same text']
      : []),
    ...modeNotes(before, after),
  ]
  return `${diff ?? `--- ${from}\n+++ ${to}\n`}${notes.map((note) => `(${printableLine(note)})\n`).join('')}`
}

function headsOf(name: string, before: Side, after: Side): [string, string] {
  return [before.words === undefined ? '/dev/null' : name, after.words === undefined ? '/dev/null' : name]
}

/** Describes a changed mode, and the mode of a new executable file. */
function modeNotes(before: Side, after: Side): string[] {
  if (after.mode === undefined || after.mode === before.mode) return []
  if (before.mode !== undefined) return [`mode ${before.mode.toString(8)} → ${after.mode.toString(8)}`]
  return (after.mode & 0o7111) === 0 || after.words === FOLDER ? [] : [`mode ${after.mode.toString(8)}`]
}

const FOLDER = 'a folder'

function readSide(path: string): Side {
  const stats = lstatIfExists(path)
  if (stats === undefined) return NOTHING
  if (stats.isSymbolicLink()) return { words: `a link to ${readlinkSync(path)}` }
  const mode = stats.mode & 0o7777
  if (stats.isDirectory()) return { words: FOLDER, mode }
  const size = `${stats.size} bytes`
  if (!stats.isFile()) return { words: 'a fifo, socket or device', mode }
  if (stats.size > MAX_READ) return { words: `${size}, too large to compare`, mode }
  if (!isReadable(path)) return { words: `${size}, not readable`, mode }
  const text = readText(path)
  return text === undefined ? { words: `${size}, binary`, mode } : { words: size, text, mode }
}

/** Reads a file as text; undefined when it is not text. A file with a NUL counts as binary. */
function readText(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const bytes = readAll(file, fstatSync(file).size, MAX_READ)
    return bytes === undefined || bytes.includes(0) ? undefined : textOf(bytes)
  } finally {
    closeSync(file)
  }
}

/** True for a new folder whose contents follow; the contents show it. */
export function isFilledFolder(change: AppliedChange, next: AppliedChange | undefined): boolean {
  return 'type' in change && change.type === 'folder' && next?.path.startsWith(`${change.path}/`) === true
}

/** Cuts after the last line that fits, and says how many lines are missing. */
function cut(part: string): string {
  if (part.length <= SHOWN_OF_ONE) return part
  const end = part.lastIndexOf('\n', SHOWN_OF_ONE) + 1 || SHOWN_OF_ONE
  const left = part.slice(end).trimEnd().split('\n').length
  return `${part.slice(0, end).trimEnd()}\n… and ${left} more lines of it that are not shown\n`
}
