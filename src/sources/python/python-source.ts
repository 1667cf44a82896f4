import { ToolError } from '../../core/call/result.ts'
import type { Loaded, ToolSource } from '../../core/ports/tool-source.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import type { Effect, Tool } from '../../core/tool/tool.ts'
import { type FileLoad, joinLoads, keepLastGood } from '../keep-last-good.ts'
import { listUndescribed } from '../list-undescribed.ts'
import { Versions } from '../versions.ts'
import { type CodePlace, type LoadedProcess, loadCode } from './load-code.ts'
import { LoadedCode } from './loaded-code.ts'
import { listRules, makeTool, type RunTool } from './make-tool.ts'
import type { ToolRequest } from './python-process.ts'
import { type PythonFiles, readPythonFiles } from './read-files.ts'
import type { FileReport, ToolReport } from './read-report.ts'
import { runOnce } from './run-once.ts'
import { createSpareProcess, type SpareProcess } from './spare-process.ts'

/** Calls a listener when something in a folder changes, the folder itself included. */
export type WatchFolder = (folder: string, onChange: () => void) => { close(): void }

/** What Python tools come from. */
export interface PythonSourceOptions extends CodePlace {
  readonly id: string
  readonly origin: 'user' | 'project'
  readonly folders: readonly string[]
  /** Where left out, the source changes only when it is loaded again. */
  readonly watch?: WatchFolder | undefined
  /** Rejects where the code in the folders may not be run now; asked before it is loaded, each time. */
  check?(): Promise<void>
}

/** Effects of a project's tools that run in the process which stays; the others get one of their own for each call. */
const STAYING: readonly Effect[] = ['none', 'read', 'network']

/** Makes the source of the Python tools in some folders. */
export function createPythonSource(options: PythonSourceOptions): ToolSource {
  return new PythonSource(options)
}

class PythonSource implements ToolSource {
  readonly id: string
  readonly origin: 'user' | 'project'
  readonly #options: PythonSourceOptions
  readonly #versions = new Versions<LoadedCode>()
  /** Used once a file was changed: who only makes a call starts no process for a next load. */
  readonly #spare: SpareProcess | undefined
  /** Files that end a process or would not end when they are imported, as they were then: they are not tried again. */
  #culprits: readonly { readonly digest: string; readonly report: FileReport }[] = []
  #loading: Promise<unknown> = Promise.resolve()
  #next: Promise<Loaded> | undefined
  #isNextForced = false
  #isEdited = false
  #last: { readonly digest: string; readonly loaded: Loaded } | undefined
  #isClosed = false

  constructor(options: PythonSourceOptions) {
    this.id = options.id
    this.origin = options.origin
    this.#options = options
    this.#spare = options.isSandboxed ? undefined : createSpareProcess(options)
  }

  /** Loads one after another; whoever asks while a load waits for its turn shares it. */
  load({ force = false }: { readonly force?: boolean } = {}): Promise<Loaded> {
    this.#isNextForced ||= force
    if (this.#next === undefined) {
      const next = this.#loading.then(() => {
        const isForced = this.#isNextForced
        this.#next = undefined
        this.#isNextForced = false
        return this.#loadChanged(isForced)
      })
      this.#next = next
      this.#loading = next.catch(() => undefined)
    }
    return this.#next
  }

  onChange(listener: () => void): () => void {
    const { watch, folders } = this.#options
    const changed = () => {
      this.#isEdited = true
      listener()
    }
    const watchers = watch === undefined ? [] : folders.map((folder) => watch(folder, changed))
    return () => {
      for (const watcher of watchers) watcher.close()
    }
  }

  isSame(before: Tool, after: Tool): boolean {
    return this.#versions.isSame(before, after)
  }

  isCurrent(tool: Tool): boolean {
    return this.#versions.isCurrent(tool)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loading
    await Promise.all([this.#spare?.close(), ...this.#versions.living.map((code) => code.close())])
  }

  /** Loads again only where a file has changed: other things happen in the folders, too. */
  async #loadChanged(isForced: boolean): Promise<Loaded> {
    await this.#options.check?.()
    const files = readPythonFiles(this.#options.folders)
    if (!isForced && this.#last?.digest === files.digest) return this.#last.loaded
    this.#last = undefined
    if (isForced) this.#culprits = []
    const loaded = await this.#load(files)
    this.#last = { digest: files.digest, loaded }
    if (this.#isEdited && !this.#isClosed) this.#spare?.prepareNext()
    return loaded
  }

  async #load(files: PythonFiles): Promise<Loaded> {
    if (this.#isClosed || files.tools.length === 0) {
      this.#versions.replace(undefined, [])
      return { tools: [], skipped: [] }
    }
    const known = this.#culprits.filter(({ report, digest }) => files.digestOf(report.path) === digest)
    const first = await this.#start(
      without(
        files,
        known.map(({ report }) => report),
      ),
    )
    this.#culprits = [...known, ...first.culprits.map((report) => ({ report, digest: files.digestOf(report.path) }))]
    const culprits = this.#culprits.map(({ report }) => report)
    // A process that ends is started again with the same texts.
    const usable = without(files, culprits)
    const code = new LoadedCode(first.process, async () => {
      await this.#options.check?.()
      return (await this.#start(usable)).process
    })
    const next = [...first.files, ...culprits]
      .toSorted((a, b) => files.tools.indexOf(a.path) - files.tools.indexOf(b.path))
      .map((report) => this.#toFileLoad(report, code, files))
    this.#versions.replace(code, keepLastGood(this.#versions.loads, next))
    return joinLoads(this.#versions.loads)
  }

  #start(files: PythonFiles): Promise<LoadedProcess> {
    return loadCode(this.#options, { files, ...(this.#spare && { spare: this.#spare }) })
  }

  #toFileLoad(report: FileReport, code: LoadedCode, files: PythonFiles): FileLoad {
    const { path: source, isImported } = report
    const skipped: Skipped[] = report.problems.map(({ line, reason }) => ({ source, ...atLine(line), reason }))
    const tools = report.tools.map((described) => {
      const { name, line, parameters } = described
      const loaded = {
        tool: makeTool(described, this.#runner(source, described, { code, files })),
        source,
        ...atLine(line),
      }
      this.#versions.add(loaded, code, files.digestOf(source))
      for (const reason of listUndescribed(name, parameters))
        skipped.push({ source, ...atLine(line), reason, isWarning: true })
      return loaded
    })
    return { file: source, isBroken: !isImported, tools, skipped, rules: listRules(report) }
  }

  /** How a tool runs: in the process that has its code, or for a project's tool that changes things in one of its own. */
  #runner(
    file: string,
    { effect = 'run' }: ToolReport,
    { code, files }: { readonly code: LoadedCode; readonly files: PythonFiles },
  ): RunTool {
    const { hostFolder, check } = this.#options
    if (this.origin === 'project' && !STAYING.includes(effect))
      return async (request, context) => {
        await check?.()
        return runOnce(request, context, { hostFolder, file, texts: files.texts })
      }
    return (request, context) => this.#runIn(code, request, context)
  }

  /** Runs a call in the code that a session began with, or by name in the present code where that is no longer kept. */
  #runIn(code: LoadedCode, request: ToolRequest, context: ToolContext): Promise<unknown> {
    return code.run(request, context, async () => {
      const present = this.#versions.findPresent(request.tool)?.code
      if (present && !this.#isClosed) return this.#runIn(present, request, context)
      const text = `${request.tool} is no longer there: its file was changed or removed since this session began. Nothing was run.`
      throw new ToolError('UNAVAILABLE', text)
    })
  }
}

function atLine(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line }
}

/** The files without some that are not to be loaded as tools. */
function without(files: PythonFiles, left: readonly FileReport[]): PythonFiles {
  return { ...files, tools: files.tools.filter((file) => !left.some(({ path }) => path === file)) }
}
