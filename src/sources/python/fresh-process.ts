import { join } from 'node:path'
import type { ProgramOrder, RunningProgram } from '../../core/ports/sandbox.ts'
import { type OnNews, PythonProcess } from './python-process.ts'
import { StartMarks } from './start-marks.ts'

/** How host processes are started. */
export interface ProcessPlace {
  /** The folder with the host's own Python files. */
  readonly hostFolder: string
  readonly workspace: string
  /** Where byte code is kept; nowhere when left out. */
  readonly cacheFolder?: string
  /** True where the process runs in a sandbox: it maps no file of ours, and ends with the sandbox. */
  readonly isSandboxed: boolean
  /** Starts a program; `argv` without the interpreter. */
  launch(order: ProgramOrder): RunningProgram | Promise<RunningProgram>
}

/** A host process that has loaded nothing yet. */
export interface FreshProcess {
  readonly process: PythonProcess
  readonly marks: StartMarks | undefined
  /** Calls the listener with all that the process says, also with what it has said so far. */
  listen(onNews: OnNews): void
}

/** Starts a host process. Rejects where no program can be started. */
export async function startFresh(place: ProcessPlace): Promise<FreshProcess> {
  const marks = place.isSandboxed ? undefined : new StartMarks()
  const early: Parameters<OnNews>[0][] = []
  let listener: OnNews = (message) => void early.push(message)
  const group = place.isSandboxed ? 'same-group' : 'own-group'
  const argv = [join(place.hostFolder, 'host.py'), group, place.cacheFolder ?? '-']
  try {
    const launch = ({ output }: Pick<ProgramOrder, 'output'>) => place.launch({ argv, output })
    const process = await PythonProcess.start(launch, marks, (message) => listener(message))
    const listen = (onNews: OnNews) => {
      listener = onNews
      for (const message of early.splice(0)) onNews(message)
    }
    return { process, marks, listen }
  } catch (thrown) {
    marks?.close()
    throw thrown
  }
}
