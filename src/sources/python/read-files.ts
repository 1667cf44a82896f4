import { resolve } from 'node:path'
import { digestEntries, digestFiles, type FolderEntry, readEntries } from '../digest-folder.ts'

/** The Python files of some folders at one moment. A process that is started later with them runs the same code, whatever lies on disk by then. */
export interface PythonFiles {
  readonly folders: readonly string[]
  /** The files that are loaded as tools, in order. */
  readonly tools: readonly string[]
  /** The bytes of every file by path, each byte a character. What is large or cannot be read is missing; the process looks for itself. */
  readonly texts: Readonly<Record<string, string>>
  /** Differs when any file differs. */
  readonly digest: string
  /** Returns a digest of one tool file and of the files beside it that are there to be imported. */
  digestOf(file: string): string
}

/** Reads every Python file of these folders, once. Those whose names start with `_` are there to be imported, and are no tools. */
export function readPythonFiles(given: readonly string[]): PythonFiles {
  const folders = given.map((folder) => resolve(folder))
  const read = folders.map((folder) => readEntries(folder, /^[^.].*\.py$/) ?? [])
  const digests = new Map(read.flatMap((entries) => [...digestFiles(entries, isHelper)]))
  return {
    folders,
    tools: [...digests.keys()],
    texts: Object.fromEntries(read.flat().flatMap(({ path, content }) => toText(path, content))),
    digest: read.map(digestEntries).join('\n'),
    digestOf: (file) => digests.get(file) ?? '',
  }
}

function isHelper({ name }: FolderEntry): boolean {
  return name.startsWith('_')
}

function toText(path: string, content: Buffer | string): (readonly [path: string, text: string])[] {
  return typeof content === 'string' ? [] : [[path, content.toString('latin1')]]
}
