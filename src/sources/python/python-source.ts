import { ToolError } from '../../core/call/result.ts'
import type { Loaded, ToolSource } from '../../core/ports/tool-source.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import type { Effect, Tool } from '../../core/tool/tool.ts'
import { type FileLoad, isWaiting, joinLoads, keepLastGood, STILL_LOADING } from '../keep-last-good.ts'
import { listUndescribed } from '../list-undescribed.ts'
import { Versions } from '../versions.ts'
import { type CodePlace, type LoadedProcess, loadCode, type SlowFile } from './load-code.ts'
import { LoadedCode } from './loaded-code.ts'
import { listRules, makeTool, type RunTool } from './make-tool.ts'
import type { PythonProcess, ToolRequest } from './python-process.ts'
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

/** Seconds that the import of a file may hold up the others. */
const SLOW_AFTER = 1

/** Makes the source of the Python tools in some folders. */
export function createPythonSource(options: PythonSourceOptions): ToolSource {
  return new PythonSource(options)
}

/** A file that was slow to import: it has a process of its own, and is loaded again only when it changes. */
interface SlowLoad {
  readonly digest: string
  load: FileLoad
  /** Ends its process while it is still loading. */
  drop?(): void
}

class PythonSource implements ToolSource {
  readonly id: string
  readonly origin: 'user' | 'project'
  readonly #options: PythonSourceOptions
  readonly #versions = new Versions<LoadedCode>()
  /** Used once a file was changed: who only makes a call starts no process for a next load. */
  readonly #spare: SpareProcess | undefined
  /** Files that end a process when they are imported, as they were then: they are not tried again. */
  #culprits: readonly { readonly digest: string; readonly report: FileReport }[] = []
  readonly #slow = new Map<string, SlowLoad>()
  /** The files that were read last, and those that share a process. */
  #files: PythonFiles | undefined
  #shared: { readonly code: LoadedCode | undefined; readonly loads: readonly FileLoad[] } | undefined
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  #loading: Promise<unknown> = Promise.resolve()
  #next: Promise<Loaded> | undefined
  #isNextForced = false
  #isEdited = false
  #last: { readonly digest: string; readonly loaded: Loaded } | undefined

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

  awaitsRules(): boolean {
    const isLoading = this.#shared === undefined || [...this.#slow.values()].some(({ load }) => isWaiting(load))
    if (!isLoading || this.#isClosed) return false
    const { texts } = this.#files ?? readPythonFiles(this.#options.folders)
    return Object.values(texts).some((text) => text.includes('SafetyRule'))
  }

  onChange(listener: () => void): () => void {
    const { watch, folders } = this.#options
    const changed = () => {
      this.#isEdited = true
      listener()
    }
    const watchers = watch === undefined ? [] : folders.map((folder) => watch(folder, changed))
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
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
    this.#closing.abort()
    await this.#loading
    await Promise.all([this.#spare?.close(), ...this.#versions.living.map((code) => code.close())])
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Loads again only where a file has changed: other things happen in the folders, too. */
  async #loadChanged(isForced: boolean): Promise<Loaded> {
    await this.#options.check?.()
    const files = readPythonFiles(this.#options.folders)
    if (!isForced && this.#last?.digest === files.digest) return this.#last.loaded
    this.#last = undefined
    if (isForced) {
      this.#culprits = []
      for (const path of this.#slow.keys()) this.#forgetSlow(path)
    }
    const loaded = await this.#load(files)
    this.#last = { digest: files.digest, loaded }
    if (this.#isEdited && !this.#isClosed) this.#spare?.prepareNext()
    return loaded
  }

  async #load(files: PythonFiles): Promise<Loaded> {
    this.#files = files
    if (this.#isClosed || files.tools.length === 0) {
      for (const path of this.#slow.keys()) this.#forgetSlow(path)
      this.#shared = { code: undefined, loads: [] }
      return this.#publish()
    }
    for (const [path, { digest }] of this.#slow) if (files.digestOf(path) !== digest) this.#forgetSlow(path)
    const known = this.#culprits.filter(({ report, digest }) => files.digestOf(report.path) === digest)
    const left = [...known.map(({ report }) => report.path), ...this.#slow.keys()]
    const first = await this.#start(without(files, left), SLOW_AFTER)
    for (const slow of first.slow) this.#followSlow(slow, files)
    this.#culprits = [...known, ...first.culprits.map((report) => ({ report, digest: files.digestOf(report.path) }))]
    const culprits = this.#culprits.map(({ report }) => report)
    // A process that ends is started again with the same texts.
    const usable = without(files, [...culprits.map(({ path }) => path), ...this.#slow.keys()])
    const code = first.process && this.#keepCode(first.process, usable)
    const loads = [...first.files, ...culprits].map((report) => this.#toFileLoad(report, code, files))
    this.#shared = { code, loads }
    return this.#publish()
  }

  /** Makes what is loaded by now the present version. */
  #publish(): Loaded {
    const { code, loads = [] } = this.#shared ?? {}
    const order = this.#files?.tools ?? []
    const next = [...loads, ...[...this.#slow.values()].map(({ load }) => load)]
    const sorted = next.toSorted((a, b) => order.indexOf(a.file) - order.indexOf(b.file))
    this.#versions.replace(code, keepLastGood(this.#versions.loads, sorted))
    return joinLoads(this.#versions.loads)
  }

  #forgetSlow(path: string): void {
    this.#slow.get(path)?.drop?.()
    this.#slow.delete(path)
  }

  /** Takes in a slow file once its import has ended, unless it has changed since. */
  #followSlow({ path, since, loaded, end }: SlowFile, files: PythonFiles): void {
    const skipped = [{ source: path, reason: STILL_LOADING, loadingSince: since }]
    const kept: SlowLoad = {
      digest: files.digestOf(path),
      load: { file: path, isBroken: true, tools: [], skipped },
      drop: end,
    }
    this.#slow.set(path, kept)
    void loaded.then(({ report, process }) => {
      if (this.#isClosed || this.#slow.get(path) !== kept) return process?.end()
      delete kept.drop
      const others = files.tools.filter((file) => file !== path)
      kept.load = this.#toFileLoad(report, process && this.#keepCode(process, without(files, others)), files)
      const published = this.#publish()
      this.#last &&= { ...this.#last, loaded: published }
      for (const listener of this.#listeners) listener()
    })
  }

  /** The code of some files, whose process is started again with the same texts when it ends. */
  #keepCode(process: PythonProcess, files: PythonFiles): LoadedCode {
    return new LoadedCode(process, async () => {
      await this.#options.check?.()
      const again = await this.#start(files)
      if (again.process === undefined) throw new Error('Python tools could not be loaded again')
      return again.process
    })
  }

  #start(files: PythonFiles, slowAfter?: number): Promise<LoadedProcess> {
    const { signal } = this.#closing
    return loadCode(this.#options, {
      ...{ files, signal },
      ...(this.#spare && { spare: this.#spare }),
      ...(slowAfter !== undefined && { slowAfter }),
    })
  }

  #toFileLoad(report: FileReport, code: LoadedCode | undefined, files: PythonFiles): FileLoad {
    const { path: source, isImported } = report
    const skipped: Skipped[] = report.problems.map(({ line, reason }) => ({ source, ...atLine(line), reason }))
    const tools = report.tools.flatMap((described) => {
      if (code === undefined) return []
      const { name, line, parameters } = described
      const loaded = {
        tool: makeTool(described, source, this.#runner(source, described, { code, files })),
        source,
        ...atLine(line),
      }
      this.#versions.add(loaded, code, files.digestOf(source))
      for (const reason of listUndescribed(name, parameters))
        skipped.push({ source, ...atLine(line), reason, isWarning: true })
      return [loaded]
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
      const present = this.#versions.findPresent(request.tool, request.file)
      if (present && !this.#isClosed) return this.#runIn(present.code, { ...request, file: present.source }, context)
      const text = `${request.tool} is no longer there: its file was changed or removed since this session began. Nothing was run.`
      throw new ToolError('UNAVAILABLE', text)
    })
  }
}

function atLine(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line }
}

/** The files without some that are not to be loaded as tools. */
function without(files: PythonFiles, left: readonly string[]): PythonFiles {
  return { ...files, tools: files.tools.filter((file) => !left.includes(file)) }
}
