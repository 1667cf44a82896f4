import { type FreshProcess, type ProcessPlace, startFresh } from './fresh-process.ts'
import type { PythonProcess } from './python-process.ts'
import type { PythonFiles } from './read-files.ts'
import { type FileReport, readReport } from './read-report.ts'
import type { SpareProcess } from './spare-process.ts'

/** How many files may end the process when they are imported before none is loaded. */
const MAX_BROKEN = 20

/** How many times as long as one file all files together may take. */
const MAX_IMPORTS = 10

/** How host processes are started, and how long they may take to load. */
export interface CodePlace extends ProcessPlace {
  /** Seconds that the import of one file may take. */
  readonly importSeconds: number
}

/** A process that has loaded its files, and what it found in them. */
export interface LoadedProcess {
  readonly process: PythonProcess
  readonly files: readonly FileReport[]
  /** Those of the files that ended the process, or would not end, when they were imported. */
  readonly culprits: readonly FileReport[]
}

/** What is loaded, and by which process where one is waiting. */
export interface LoadOrder {
  readonly files: PythonFiles
  readonly spare?: SpareProcess
}

/** Starts a process and loads the files. A file whose import ends the process, or does not end, is left out and reported. Rejects where Python does not work at all. */
export async function loadCode(place: CodePlace, { files, spare }: LoadOrder): Promise<LoadedProcess> {
  const culprits: FileReport[] = []
  while (culprits.length < MAX_BROKEN) {
    const tools = files.tools.filter((file) => !culprits.some(({ path }) => path === file))
    const loaded = await loadTools(place, { files: { ...files, tools }, ...(spare && { spare }) })
    if ('process' in loaded) return { ...loaded, culprits }
    culprits.push(brokenFile(loaded.path, loaded.reason))
  }
  throw new Error(`Python tools could not be loaded: the imports of ${culprits.length} files ended the process`)
}

function brokenFile(path: string, reason: string): FileReport {
  return { path, isImported: false, tools: [], problems: [{ line: undefined, reason }], rules: [] }
}

interface BadFile {
  readonly path: string
  readonly reason: string
}

type Outcome = Pick<LoadedProcess, 'process' | 'files'> | BadFile

/** Loads the files in the waiting process, or in a new one. */
async function loadTools(place: CodePlace, { files, spare }: LoadOrder): Promise<Outcome> {
  const ahead = spare?.take()
  if (ahead === undefined) return tryLoad(place, files, await startFresh(place))
  const loaded = await tryLoad(place, files, ahead)
  if (!('process' in loaded) || !loaded.files.some(misses)) return loaded
  // A package that was installed since the waiting process was started may be known to a new one alone.
  loaded.process.end()
  return tryLoad(place, files, await startFresh(place))
}

function misses({ isImported, problems }: FileReport): boolean {
  return !isImported && problems.some(({ reason }) => reason.includes('ModuleNotFoundError'))
}

async function tryLoad(
  place: CodePlace,
  files: PythonFiles,
  { process, marks, listen }: FreshProcess,
): Promise<Outcome> {
  const { folders, tools, texts } = files
  const progress = new Progress(place.importSeconds)
  // A project's code can claim to make progress for ever.
  const cap = setTimeout(() => process.end('it did not finish loading'), place.importSeconds * MAX_IMPORTS * 1000)
  listen((message) => {
    if (message.ready === true)
      process.send({ workspace: place.workspace, folders, tools, texts, ...(marks && { marks: marks.path }) })
    progress.take(message, process)
  })
  const outcome = await Promise.race([progress.loaded, process.ended])
  progress.stop()
  clearTimeout(cap)
  if (typeof outcome !== 'string') {
    marks?.unlink()
    process.rest()
    return { process, files: outcome }
  }
  const { importing } = progress
  if (importing === undefined || !tools.includes(importing))
    throw new Error(`Python tools could not be loaded: ${outcome}`)
  return { path: importing, reason: `it could not be imported: ${describeEnd(outcome)}` }
}

/** How far a process is with loading: the file it is importing, since when, and in the end what it found. */
class Progress {
  readonly loaded: Promise<readonly FileReport[]>
  importing: string | undefined
  readonly #seconds: number
  #finish: (files: readonly FileReport[]) => void = () => undefined
  #timer: NodeJS.Timeout | undefined

  constructor(seconds: number) {
    this.#seconds = seconds
    this.loaded = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  take(message: Readonly<Record<string, unknown>>, process: PythonProcess): void {
    this.stop()
    if (typeof message.unsupported === 'string')
      process.end(`Python ${message.unsupported} is too old; tools need Python 3.9 or newer`)
    else if ('loaded' in message) this.#finish(readReport(message.loaded))
    else if (typeof message.importing === 'string') {
      this.importing = message.importing
      const seconds = this.#seconds
      this.#timer = setTimeout(() => process.end(`its import did not end within ${seconds} s`), seconds * 1000)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** The end of a process in which one file was being imported. */
function describeEnd(words: string): string {
  return words.startsWith('it ') ? `its import ended the process: ${words}` : words
}
