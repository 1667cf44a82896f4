import { type BigIntStats, closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../core/result.ts'
import type { Owner } from '../owner.ts'

/** The three sides of an overlay: what it covers, what was written, and what the command saw. */
export interface Sides {
  readonly lower: string
  readonly upper: string
  readonly merged: string
}

/** One difference between the workspace and what the command left; paths are relative to it. */
export type Difference =
  | {
      readonly kind: 'added' | 'changed'
      readonly path: string
      readonly type: 'file' | 'link'
      readonly inUpper: boolean
    }
  | {
      readonly kind: 'added'
      readonly path: string
      readonly type: 'folder'
      readonly mode: number
      readonly owner: Owner
    }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'deleted'; readonly path: string }

/** Compares what the command left with the workspace. The upper side only says where to look: the merged one is the truth. */
export function findChanges(sides: Sides): Difference[] {
  const found: Difference[] = []
  compareFolders('')
  return found

  function compareFolders(folder: string): void {
    const [merged, lower, upper] = [sides.merged, sides.lower, sides.upper].map((side) => listNames(side, folder))
    for (const name of [...new Set([...(merged ?? []), ...(lower ?? [])])].sort()) {
      compareEntry(folder === '' ? name : `${folder}/${name}`, upper?.has(name) ?? false)
    }
  }

  function compareEntry(path: string, inUpper: boolean): void {
    const now = look(sides.merged, path)
    const before = look(sides.lower, path)
    if (now === undefined) {
      if (before !== undefined) found.push({ kind: 'deleted', path })
    } else if (before === undefined) add(path, now, inUpper)
    else if (inUpper || now.ino !== before.ino) compare(path, { now, before, inUpper })
  }

  function compare(
    path: string,
    { now, before, inUpper }: { now: BigIntStats; before: BigIntStats; inUpper: boolean },
  ): void {
    if (now.isDirectory() && before.isDirectory()) {
      if (modeOf(now) !== modeOf(before)) found.push({ kind: 'mode', path, mode: modeOf(now) })
      compareFolders(path)
    } else if (typeOf(now) !== typeOf(before)) {
      found.push({ kind: 'deleted', path })
      add(path, now, inUpper)
    } else if (!isSame(path, now, before)) found.push({ kind: 'changed', path, type: leafType(path, now), inUpper })
  }

  function add(path: string, now: BigIntStats, inUpper: boolean): void {
    if (!now.isDirectory()) {
      found.push({ kind: 'added', path, type: leafType(path, now), inUpper })
      return
    }
    found.push({
      kind: 'added',
      path,
      type: 'folder',
      mode: modeOf(now),
      owner: { uid: Number(now.uid), gid: Number(now.gid) },
    })
    const upper = listNames(sides.upper, path)
    for (const name of [...listNames(sides.merged, path)].sort()) {
      const child = look(sides.merged, `${path}/${name}`)
      if (child) add(`${path}/${name}`, child, upper.has(name))
    }
  }

  /** Times tell most changes; where they are alike, the content does. */
  function isSame(path: string, now: BigIntStats, before: BigIntStats): boolean {
    const [a, b] = [join(sides.merged, path), join(sides.lower, path)]
    if (now.isSymbolicLink()) return readlinkSync(a) === readlinkSync(b)
    const alike = now.size === before.size && now.mtimeNs === before.mtimeNs && modeOf(now) === modeOf(before)
    return alike && haveSameBytes(a, b)
  }
}

function listNames(side: string, folder: string): Set<string> {
  try {
    const names = readdirSync(join(side, folder), { encoding: 'buffer' })
    return new Set(names.map((name) => readName(name, folder)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return new Set()
    throw error
  }
}

function readName(bytes: Buffer, folder: string): string {
  const name = bytes.toString('utf8')
  if (Buffer.from(name).equals(bytes)) return name
  throw new ToolError(
    'EXECUTION_ERROR',
    `A name in ${folder === '' ? 'the workspace' : folder} is not UTF-8 (${bytes.toString('latin1')}); such changes cannot be applied. Nothing was.`,
  )
}

function look(side: string, path: string): BigIntStats | undefined {
  return lstatSync(join(side, path), { bigint: true, throwIfNoEntry: false })
}

const modeOf = (stats: BigIntStats): number => Number(stats.mode) & 0o7777
const typeOf = (stats: BigIntStats): number => Number(stats.mode) & 0o170000

function leafType(path: string, stats: BigIntStats): 'file' | 'link' {
  if (stats.isFile()) return 'file'
  if (stats.isSymbolicLink()) return 'link'
  throw new ToolError(
    'EXECUTION_ERROR',
    `The command made ${path}, a special file (a fifo, socket or device), which is refused. None of its changes were applied.`,
  )
}

function haveSameBytes(a: string, b: string): boolean {
  const [left, right] = [openSync(a, 'r'), openSync(b, 'r')]
  try {
    const [one, two] = [Buffer.alloc(65_536), Buffer.alloc(65_536)]
    for (;;) {
      const length = readSync(left, one)
      if (readSync(right, two) !== length || !one.subarray(0, length).equals(two.subarray(0, length))) return false
      if (length === 0) return true
    }
  } finally {
    closeSync(left)
    closeSync(right)
  }
}
