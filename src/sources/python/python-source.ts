import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Loaded, ToolSource } from '../../core/ports/tool-source.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'
import { digestFolder } from '../digest-folder.ts'
import { type CodePlace, loadCode } from './load-code.ts'
import { LoadedCode } from './loaded-code.ts'
import { listRules, listWarnings, makeTool, type RunTool, sourceOf } from './make-tool.ts'
import type { ToolRequest } from './python-process.ts'
import type { FileReport, ToolReport } from './read-report.ts'
import { runOnce } from './run-once.ts'

/** Calls a listener when something in a folder changes, the folder itself included. */
export type WatchFolder = (folder: string, onChange: () => void) => { close(): void }

/** What Python tools come from. */
export interface PythonSourceOptions extends CodePlace {
  readonly id: string
  readonly origin: 'user' | 'project'
  /** Where left out, the source changes only when it is loaded again. */
  readonly watch?: WatchFolder | undefined
  /** Rejects where the code in the folders may not be run now; asked before it is loaded, each time. */
  check?(): Promise<void>
}

/** A file in use: the code that has it, which is older where the file can no longer be imported. */
interface FileInUse {
  readonly report: FileReport
  readonly code: LoadedCode
}

/** How many loads besides the present one keep their process, for sessions that began with them. */
const MAX_OLD = 2

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
  #files = new Map<string, FileInUse>()
  #old: LoadedCode[] = []
  #loading: Promise<unknown> = Promise.resolve()
  #next: Promise<Loaded> | undefined
  #isNextForced = false
  #last: { readonly digest: string; readonly loaded: Loaded } | undefined
  #isClosed = false

  constructor(options: PythonSourceOptions) {
    this.id = options.id
    this.origin = options.origin
    this.#options = options
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
    const watchers = watch === undefined ? [] : folders.map((folder) => watch(folder, listener))
    return () => {
      for (const watcher of watchers) watcher.close()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loading
    await Promise.all([...this.#codes(), ...this.#old].map((code) => code.close()))
  }

  /** Loads again only where a file has changed: other things happen in the folders, too. */
  async #loadChanged(isForced: boolean): Promise<Loaded> {
    await this.#options.check?.()
    const digest = this.#options.folders.map((folder) => digestFolder(folder, /\.py$/)).join('\n')
    if (!isForced && this.#last?.digest === digest) return this.#last.loaded
    this.#last = undefined
    const loaded = await this.#load()
    this.#last = { digest, loaded }
    return loaded
  }

  async #load(): Promise<Loaded> {
    const { check, folders } = this.#options
    if (this.#isClosed || !hasToolFiles(folders)) {
      this.#use(new Map())
      return { tools: [], skipped: [] }
    }
    const load = async () => {
      await check?.()
      return loadCode(this.#options)
    }
    const code = new LoadedCode(await load(), load)
    const before = this.#files
    this.#use(new Map(code.files.map((report) => [report.path, this.#choose(report, code, before)])))
    return this.#describe(code.files)
  }

  /** A file that cannot be imported keeps what it gave before. */
  #choose(report: FileReport, code: LoadedCode, before: ReadonlyMap<string, FileInUse>): FileInUse {
    const kept = before.get(report.path)
    return report.isImported || kept === undefined || !kept.report.isImported ? { report, code } : kept
  }

  #use(files: Map<string, FileInUse>): void {
    const before = this.#codes()
    this.#files = files
    const present = this.#codes()
    this.#old = [...before, ...this.#old].filter((code) => !present.has(code))
    for (const code of this.#old.splice(MAX_OLD)) code.retire()
  }

  #codes(): Set<LoadedCode> {
    return new Set([...this.#files.values()].map(({ code }) => code))
  }

  #describe(reports: readonly FileReport[]): Loaded {
    const tools: Loaded['tools'][number][] = []
    const skipped: Skipped[] = []
    for (const report of reports) {
      const used = this.#files.get(report.path) ?? { report, code: undefined }
      const isKept = used.report !== report
      for (const { line, reason } of report.problems)
        skipped.push({
          source: report.path,
          ...(line !== undefined && { line }),
          reason: isKept ? `${reason}\nThe version that was loaded before stays in use.` : reason,
        })
      for (const tool of used.report.tools) {
        tools.push({ tool: makeTool(tool, this.#runner(report.path, tool, used.code)), source: sourceOf(report, tool) })
        skipped.push(...listWarnings(report, tool))
      }
    }
    return { tools, skipped, rules: [...this.#files.values()].flatMap(({ report }) => listRules(report)) }
  }

  /** How a tool runs: in the process that has its code, or for a project's tool that changes things in one of its own. */
  #runner(file: string, { effect = 'run' }: ToolReport, code: LoadedCode | undefined): RunTool {
    const { hostFolder, check } = this.#options
    if (this.origin === 'project' && !STAYING.includes(effect))
      return async (request, context) => {
        await check?.()
        return runOnce(request, context, { hostFolder, file })
      }
    return (request, context) => (code?.isCurrent ? code.run(request, context) : this.#runPresent(request, context))
  }

  /** Runs a call of a session whose own code is no longer kept by the code of today, by name. */
  #runPresent(request: ToolRequest, context: ToolContext): Promise<unknown> {
    for (const { report, code } of this.#files.values())
      if (report.tools.some(({ name }) => name === request.tool)) return code.run(request, context)
    const text = `${request.tool} is no longer there: its file was changed or removed since this session began. Nothing was run.`
    return Promise.reject(new ToolError('UNAVAILABLE', text))
  }
}

function hasToolFiles(folders: readonly string[]): boolean {
  return folders.some((folder) => listNames(folder).some((name) => /^[^_.].*\.py$/.test(name)))
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(join(folder))
  } catch {
    return []
  }
}
