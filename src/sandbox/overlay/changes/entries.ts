import { type BigIntStats, closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'

/** Lists the names in a folder of one layer; none when it does not exist. Names that are not valid UTF-8 are reported and left out: Node cannot name their files. */
export function listNames(side: string, folder: string, onBroken?: () => void): Set<string> {
  const names = readNames(side, folder)
  if (!names.some((name) => name.includes(REPLACEMENT))) return new Set(names)
  const broken = new Set(listBrokenNames(side, folder).map((bytes) => bytes.toString('utf8')))
  if (broken.size > 0) onBroken?.()
  return new Set(names.filter((name) => !broken.has(name)))
}

/** The character that stands for bytes that are not valid UTF-8. A name may also hold it by itself. */
const REPLACEMENT = '\uFFFD'

/** Throws when a command created, changed or deleted a name of a folder that is not valid UTF-8: it cannot be applied. Others of that kind do not matter. */
export function refuseBrokenNames({ lower, upper, merged }: Record<Layer, string>, folder: string): void {
  const [before, written, after] = [lower, upper, merged].map((side) =>
    listBrokenNames(side, folder).map((bytes) => bytes.toString('latin1')),
  )
  const known = new Set(before)
  const left = new Set(after)
  const touched = written?.[0] ?? after?.find((name) => !known.has(name)) ?? before?.find((name) => !left.has(name))
  if (touched !== undefined) throw brokenName(folder, touched)
}

/** Throws when a deleted folder holds a name that is not valid UTF-8: undo could not restore it. */
export function refuseDeletedNames(side: string, folder: string): void {
  const [broken] = listBrokenNames(side, folder)
  if (broken !== undefined) throw brokenName(folder, broken.toString('latin1'))
}

type Layer = 'lower' | 'upper' | 'merged'

function brokenName(folder: string, name: string): ToolError {
  return new ToolError(
    'EXECUTION_ERROR',
    `The command created, changed or deleted a file in ${folder === '' ? 'the workspace' : folder} whose name is not valid UTF-8 (${name}). Such a change cannot be applied; files with such names may exist, as long as a command leaves them alone. None of its changes were applied.`,
  )
}

function listBrokenNames(side: string, folder: string): Buffer[] {
  try {
    const names = readdirSync(join(side, folder), { encoding: 'buffer' })
    return names.filter((bytes) => !Buffer.from(bytes.toString('utf8')).equals(bytes))
  } catch (error) {
    return noneIfMissing(error)
  }
}

function readNames(side: string, folder: string): string[] {
  try {
    return readdirSync(join(side, folder))
  } catch (error) {
    return noneIfMissing(error)
  }
}

function noneIfMissing(error: unknown): never[] {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
  throw error
}

/** Looks at a path of one layer, a link not followed. */
export function look(side: string, path: string): BigIntStats | undefined {
  return lstatSync(join(side, path), { bigint: true, throwIfNoEntry: false })
}

/** A mode without the setuid, setgid and sticky bits. */
export const PLAIN_MODE = 0o777

export const modeOf = (stats: BigIntStats): number => Number(stats.mode) & 0o7777
export const typeOf = (stats: BigIntStats): number => Number(stats.mode) & 0o170000

/** Returns undefined for fifos, sockets and devices. */
export function leafType(stats: BigIntStats): 'file' | 'link' | undefined {
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : undefined
}

/** Compares two files. */
export function haveSameBytes(a: string, b: string): boolean {
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
