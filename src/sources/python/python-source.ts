import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../core/call/result.ts'
import type { Loaded, ToolSource } from '../../core/ports/tool-source.ts'
import type { ToolContext } from '../../core/tool/context.ts'
import type { Skipped } from '../../core/tool/snapshot.ts'
import type { Effect, Tool } from '../../core/tool/tool.ts'
import { createFileDigest, digestFolder } from '../digest-folder.ts'
import { type FileLoad, joinLoads, keepLastGood } from '../keep-last-good.ts'
import { listUndescribed } from '../list-undescribed.ts'
import { Versions } from '../versions.ts'
import { type CodePlace, loadCode } from './load-code.ts'
import { LoadedCode } from './loaded-code.ts'
import { listRules, makeTool, type RunTool } from './make-tool.ts'
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

/** Effects of a project's tools that run in the process which stays; the others get one of their own for each call. */
const STAYING: readonly Effect[] = ['none', 'read', 'network']

/** Files that are not loaded as tools: other files import them. */
const HELPERS = /^_.*\.py$/

/** Makes the source of the Python tools in some folders. */
export function createPythonSource(options: PythonSourceOptions): ToolSource {
  return new PythonSource(options)
}

class PythonSource implements ToolSource {
  readonly id: string
  readonly origin: 'user' | 'project'
  readonly #options: PythonSourceOptions
  readonly #versions = new Versions<LoadedCode>()
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

  isSame(before: Tool, after: Tool): boolean {
    return this.#versions.isSame(before, after)
  }

  isCurrent(tool: Tool): boolean {
    return this.#versions.isCurrent(tool)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loading
    await Promise.all(this.#versions.living.map((code) => code.close()))
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
      this.#versions.replace(undefined, [])
      return { tools: [], skipped: [] }
    }
    const load = async () => {
      await check?.()
      return loadCode(this.#options)
    }
    const code = new LoadedCode(await load(), load)
    const digestOf = createFileDigest(HELPERS)
    const next = code.files.map((report) => this.#toFileLoad(report, code, digestOf(report.path)))
    this.#versions.replace(code, keepLastGood(this.#versions.loads, next))
    return joinLoads(this.#versions.loads)
  }

  #toFileLoad(report: FileReport, code: LoadedCode, digest: string): FileLoad {
    const { path: source, isImported } = report
    const skipped: Skipped[] = report.problems.map(({ line, reason }) => ({ source, ...atLine(line), reason }))
    const tools = report.tools.map((described) => {
      const { name, line, parameters } = described
      const loaded = { tool: makeTool(described, this.#runner(source, described, code)), source, ...atLine(line) }
      this.#versions.add(loaded, code, digest)
      for (const reason of listUndescribed(name, parameters))
        skipped.push({ source, ...atLine(line), reason, isWarning: true })
      return loaded
    })
    return { file: source, isBroken: !isImported, tools, skipped, rules: listRules(report) }
  }

  /** How a tool runs: in the process that has its code, or for a project's tool that changes things in one of its own. */
  #runner(file: string, { effect = 'run' }: ToolReport, code: LoadedCode): RunTool {
    const { hostFolder, check } = this.#options
    if (this.origin === 'project' && !STAYING.includes(effect))
      return async (request, context) => {
        await check?.()
        return runOnce(request, context, { hostFolder, file })
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
