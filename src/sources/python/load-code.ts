import { within } from '../within.ts'
import { type FreshProcess, type ProcessPlace, startFresh } from './fresh-process.ts'
import type { PythonProcess } from './python-process.ts'
import type { PythonFiles } from './read-files.ts'
import { type FileReport, readReport } from './read-report.ts'
import type { SpareProcess } from './spare-process.ts'

/** How many files may end the process when they are imported before none is loaded. */
const MAX_BROKEN = 20

/** How host processes are started, and how long they may take to load. */
export interface CodePlace extends ProcessPlace {
  /** Seconds that the import of one file may take. */
  readonly importSeconds: number
}

/** A process that has loaded its files, and what it found in them. */
export interface LoadedProcess {
  /** Undefined where no file is left for it. */
  readonly process: PythonProcess | undefined
  readonly files: readonly FileReport[]
  /** Those of the files that ended the process when they were imported. */
  readonly culprits: readonly FileReport[]
  /** Those that are still being imported, each in a process that it keeps for itself. */
  readonly slow: readonly SlowFile[]
}

/** A file that takes long to import, in a process of its own: the other files are loaded in another. */
export interface SlowFile {
  readonly path: string
  /** When its import began, in milliseconds. */
  readonly since: number
  /** Resolves when its import has ended, or its time is over; without a process where the file is broken. */
  readonly loaded: Promise<{ readonly report: FileReport; readonly process: PythonProcess | undefined }>
  /** Ends the process. */
  end(): void
}

/** What is loaded, and by which process where one is waiting. */
export interface LoadOrder {
  readonly files: PythonFiles
  readonly spare?: SpareProcess
  /** Seconds after which a file gets a process of its own; never when left out. */
  readonly slowAfter?: number
  /** Ends every process that is loading. */
  readonly signal: AbortSignal
}

/** Starts a process and loads the files. A file whose import ends the process is left out and reported. Rejects where Python does not work at all. */
export async function loadCode(place: CodePlace, order: LoadOrder): Promise<LoadedProcess> {
  const culprits: FileReport[] = []
  const slow: SlowFile[] = []
  while (culprits.length < MAX_BROKEN) {
    const isLeft = (file: string) => ![...culprits, ...slow].some(({ path }) => path === file)
    const tools = order.files.tools.filter(isLeft)
    if (tools.length === 0) return { process: undefined, files: [], culprits, slow }
    const loaded = await loadTools(place, { ...order, files: { ...order.files, tools } })
    if ('process' in loaded) return { ...loaded, culprits, slow }
    if ('since' in loaded) slow.push(loaded)
    else culprits.push(loaded)
  }
  throw new Error(`Python tools could not be loaded: the imports of ${culprits.length} files ended the process`)
}

/** The report of a file that ended its process, or whose time is over. */
function brokenFile(path: string, ended: string): FileReport {
  const why = ended.startsWith('it ') ? `its import ended the process: ${ended}` : ended
  const problems = [{ line: undefined, reason: `it could not be imported: ${why}` }]
  return { path, isImported: false, tools: [], problems, rules: [] }
}

type Outcome = { readonly process: PythonProcess; readonly files: readonly FileReport[] } | FileReport | SlowFile

/** Loads the files in the waiting process, or in a new one. */
async function loadTools(place: CodePlace, order: LoadOrder): Promise<Outcome> {
  const ahead = order.spare?.take()
  if (ahead === undefined) return tryLoad(place, order, await startFresh(place))
  const loaded = await tryLoad(place, order, ahead)
  if (!('process' in loaded) || !loaded.files.some(misses)) return loaded
  // A package that was installed since the waiting process was started may be known to a new one alone.
  loaded.process.end()
  return tryLoad(place, order, await startFresh(place))
}

function misses({ isImported, problems }: FileReport): boolean {
  return !isImported && problems.some(({ reason }) => reason.includes('ModuleNotFoundError'))
}

/** Loads one file after another, so that it is known which one ends the process or is slow. */
async function tryLoad(place: CodePlace, order: LoadOrder, fresh: FreshProcess): Promise<Outcome> {
  const { process, marks, listen } = fresh
  const { workspace, importSeconds } = place
  const { files, slowAfter = importSeconds, signal } = order
  const close = () => process.end('Haft has closed it')
  if (signal.aborted) close()
  else signal.addEventListener('abort', close, { once: true })
  const messages = listenToHost(listen)
  const serve = () => {
    signal.removeEventListener('abort', close)
    process.send({ serve: true })
    marks?.unlink()
    process.rest()
  }
  const ready = await within(Promise.race([messages.ready, process.ended]), importSeconds)
  if (ready !== true) {
    process.end(`it did not start within ${importSeconds} s`)
    throw new Error(`Python tools could not be loaded: ${ready ?? (await process.ended)}`)
  }
  process.send({ workspace, folders: files.folders, texts: files.texts, ...(marks && { marks: marks.path }) })
  const reports: FileReport[] = []
  for (const path of files.tools) {
    const since = Date.now()
    process.send({ load: path })
    const report = Promise.race([messages.reportOf(path), process.ended])
    const found = await within(report, slowAfter)
    if (found === undefined && slowAfter < importSeconds) {
      const left = importSeconds - slowAfter
      const loaded = within(report, left).then(async (late) => {
        if (late === undefined) process.end(`its import did not end within ${importSeconds} s`)
        const settled = late ?? (await process.ended)
        if (typeof settled === 'string') return { report: brokenFile(path, settled), process: undefined }
        serve()
        return { report: settled, process }
      })
      return { path, since, loaded, end: () => process.end('its file has changed') }
    }
    if (found === undefined) process.end(`its import did not end within ${importSeconds} s`)
    const settled = found ?? (await process.ended)
    if (signal.aborted) throw new Error('Haft has closed it')
    if (typeof settled === 'string') return brokenFile(path, settled)
    reports.push(settled)
  }
  serve()
  return { process, files: reports }
}

/** What a host says while it loads. A project's code can write anything there. */
function listenToHost(listen: FreshProcess['listen']) {
  const ready = Promise.withResolvers<true | string>()
  const reports = new Map<string, (report: FileReport) => void>()
  listen((message) => {
    if (message.ready === true) ready.resolve(true)
    if (typeof message.unsupported === 'string')
      ready.resolve(`Python ${message.unsupported} is too old; tools need Python 3.9 or newer`)
    const report = readReport(message.file)
    if (report) reports.get(report.path)?.(report)
  })
  const reportOf = (path: string) => new Promise<FileReport>((resolve) => reports.set(path, resolve))
  return { ready: ready.promise, reportOf }
}
