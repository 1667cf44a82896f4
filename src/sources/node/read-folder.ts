import { digestEntries, digestFiles, type FolderEntry, readEntries } from '../digest-folder.ts'
import type { FileText } from './protocol.ts'

/** The files of a folder of tools at one moment. A process that is started later with them runs the same code, whatever lies on disk by then. */
export interface FolderFiles {
  /** Those that are loaded as tools, in the order of their names. */
  readonly files: readonly FileText[]
  /** Those that are there to be imported. */
  readonly helpers: readonly FileText[]
  /** Files that cannot be read, and why. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[]
  /** Differs when a file that tools may be loaded from differs. */
  readonly digest: string
  /** Returns a digest of one tool file and of the files beside it that are there to be imported. */
  digestOf(file: string): string
}

/** Declarations and tests, which no tool runs. */
const NO_CODE = /\.(d|test|spec)\.[mc]?[jt]s$/

/** Reads the files of a folder; none where there is no such folder. */
export function readToolFiles(folder: string): FolderFiles {
  const entries = (readEntries(folder, /\.([mc]?[jt]s|json)$/) ?? []).filter(({ name }) => !NO_CODE.test(name))
  const tools = entries.filter(isTool)
  const digests = digestFiles(entries, (entry) => !isTool(entry))
  return {
    files: tools.flatMap(toText),
    helpers: entries.filter((entry) => !isTool(entry)).flatMap(toText),
    unreadable: tools.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ file: path, reason: problem }])),
    digest: digestEntries(entries),
    digestOf: (file) => digests.get(file) ?? '',
  }
}

/** Files whose names start with `_` or `.` are there to be imported. */
function isTool({ name }: FolderEntry): boolean {
  return /^[^._].*\.m?[jt]s$/.test(name)
}

function toText({ path, content }: FolderEntry): FileText[] {
  return typeof content === 'string' ? [] : [{ file: path, text: content.toString('utf8') }]
}
