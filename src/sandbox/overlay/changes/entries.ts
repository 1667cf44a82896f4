import { type BigIntStats, closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../core/call/result.ts'

/** Lists the names in a folder of one layer; none when it does not exist. */
export function listNames(side: string, folder: string): Set<string> {
  try {
    const names = readdirSync(join(side, folder))
    if (names.some((name) => name.includes(REPLACEMENT))) refuseBrokenNames(join(side, folder), folder)
    return new Set(names)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return new Set()
    throw error
  }
}

/** The character that stands for bytes that are not valid UTF-8. A name may also hold it by itself. */
const REPLACEMENT = '\uFFFD'

/** Throws when a name in a folder is not valid UTF-8: it cannot be told from others. */
function refuseBrokenNames(path: string, folder: string): void {
  const broken = readdirSync(path, { encoding: 'buffer' }).find(
    (bytes) => !Buffer.from(bytes.toString('utf8')).equals(bytes),
  )
  if (broken === undefined) return
  throw new ToolError(
    'EXECUTION_ERROR',
    `The command left a name in ${folder === '' ? 'the workspace' : folder} that is not valid UTF-8 (${broken.toString('latin1')}). None of its changes were applied.`,
  )
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
