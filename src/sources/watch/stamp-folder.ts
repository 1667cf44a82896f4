import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A text that differs when an entry of the folder came, went or was written to; the same for a folder that is not there. */
export function stampFolder(folder: string): string {
  try {
    const own = statSync(folder, { bigint: true })
    const entries = readdirSync(folder)
      .sort()
      .map((name) => `${name} ${stampEntry(join(folder, name))}`)
    return [`${own.dev}:${own.ino} ${own.mtimeNs}`, ...entries].join('\n')
  } catch {
    return ''
  }
}

function stampEntry(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
