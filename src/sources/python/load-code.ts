import { join } from 'node:path'
import type { ProgramOrder, RunningProgram } from '../../core/ports/sandbox.ts'
import { type OnNews, PythonProcess } from './python-process.ts'
import { type FileReport, readReport } from './read-report.ts'
import { StartMarks } from './start-marks.ts'

/** How many files may end the process when they are imported before none is loaded. */
const MAX_BROKEN = 20

/** How many times as long as one file all files together may take. */
const MAX_IMPORTS = 10

/** How host processes are started, and what they load. */
export interface CodePlace {
  /** The folder with the host's own Python files. */
  readonly hostFolder: string
  readonly folders: readonly string[]
  readonly workspace: string
  /** Where byte code is kept; nowhere when left out. */
  readonly cacheFolder?: string
  /** True where the process runs in a sandbox: it maps no file of ours, and ends with the sandbox. */
  readonly isSandboxed: boolean
  /** Seconds that the import of one file may take. */
  readonly importSeconds: number
  /** Starts a program; `argv` without the interpreter. */
  launch(order: ProgramOrder): RunningProgram | Promise<RunningProgram>
}

/** A process that has loaded its files, and what it found in them. */
export interface LoadedProcess {
  readonly process: PythonProcess
  readonly files: readonly FileReport[]
}

/** Starts a process and loads the files. A file whose import ends the process, or does not end, is left out and reported. Rejects where Python does not work at all. */
export async function loadCode(place: CodePlace): Promise<LoadedProcess> {
  const broken: FileReport[] = []
  while (broken.length < MAX_BROKEN) {
    const loaded = await tryLoad(
      place,
      broken.map(({ path }) => path),
    )
    if ('process' in loaded) return { ...loaded, files: [...loaded.files, ...broken] }
    broken.push(brokenFile(loaded.path, loaded.reason))
  }
  throw new Error(`Python tools could not be loaded: the imports of ${broken.length} files ended the process`)
}

function brokenFile(path: string, reason: string): FileReport {
  return { path, isImported: false, tools: [], problems: [{ line: undefined, reason }], rules: [] }
}

interface BadFile {
  readonly path: string
  readonly reason: string
}

async function tryLoad(place: CodePlace, excluded: readonly string[]): Promise<LoadedProcess | BadFile> {
  const { folders, workspace } = place
  const marks = place.isSandboxed ? undefined : new StartMarks()
  const progress = new Progress(place.importSeconds)
  // A project's code can claim to make progress for ever.
  const cap = setTimeout(() => process.end('it did not finish loading'), place.importSeconds * MAX_IMPORTS * 1000)
  const process = await start(place, marks, (message) => {
    if (message.ready === true) process.send({ workspace, folders, excluded, ...(marks && { marks: marks.path }) })
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
  if (importing === undefined || excluded.includes(importing))
    throw new Error(`Python tools could not be loaded: ${outcome}`)
  return { path: importing, reason: `it could not be imported: ${describeEnd(outcome)}` }
}

async function start(place: CodePlace, marks: StartMarks | undefined, onNews: OnNews): Promise<PythonProcess> {
  const group = place.isSandboxed ? 'same-group' : 'own-group'
  const argv = [join(place.hostFolder, 'host.py'), group, place.cacheFolder ?? '-']
  try {
    return await PythonProcess.start(({ output }) => place.launch({ argv, output }), marks, onNews)
  } catch (thrown) {
    marks?.close()
    throw thrown
  }
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
