import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../core/call/result.ts'
import { digestFolder } from '../digest-folder.ts'
import type { FileText } from './protocol.ts'

/** The largest tool file, in bytes. */
const MAX_FILE = 5_000_000

/** The tool files of a folder, as they are now. */
export interface FolderFiles {
  readonly files: readonly FileText[]
  /** Files that cannot be read, and why. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[]
  /** Differs when a file that tools may be loaded from differs; empty where there is no such folder. */
  readonly digest: string
}

/** Reads the tool files of a folder in the order of their names; none where there is no such folder. */
export function readToolFiles(folder: string): FolderFiles {
  const digest = digestFolder(folder, /\.([mc]?[jt]s|json)$/)
  const files: FileText[] = []
  const unreadable: { file: string; reason: string }[] = []
  for (const name of digest === '' ? [] : readdirSync(folder).filter(isToolFile).sort()) {
    const file = join(folder, name)
    try {
      const stats = statSync(file)
      if (!stats.isFile()) continue
      if (stats.size > MAX_FILE) throw new Error(`it is larger than ${MAX_FILE / 1_000_000} MB`)
      files.push({ file, text: readFileSync(file, 'utf8') })
    } catch (thrown) {
      unreadable.push({ file, reason: `it cannot be read: ${reasonOf(thrown)}` })
    }
  }
  return { files, unreadable, digest }
}

/** Files whose names start with `_` or `.` are the folder's own; declarations and tests are no tools. */
function isToolFile(name: string): boolean {
  return /\.m?[jt]s$/.test(name) && !/\.(d|test|spec)\.m?[jt]s$/.test(name) && !/^[._]/.test(name)
}
