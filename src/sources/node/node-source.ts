import { messageOf, ToolError } from '../../core/call/result.ts'
import type { Loaded, ToolSource } from '../../core/ports/tool-source.ts'
import { isRecord } from '../../core/text/json.ts'
import type { Origin } from '../../core/tool/snapshot.ts'
import type { Effect } from '../../core/tool/tool.ts'
import { type FileLoad, joinLoads, keepLastGood, STILL_LOADING } from '../keep-last-good.ts'
import { Versions } from '../versions.ts'
import type { FolderWatch } from '../watch.ts'
import { Generation } from './generation.ts'
import type { ProcessPlace, SlowFile } from './load-process.ts'
import type { FileProblem, GivenFile, LoadedFile, ToolDescription } from './protocol.ts'
import { type FolderFiles, readToolFiles } from './read-folder.ts'
import { makeRemoteTool, type ToolHome } from './remote-tool.ts'
import { runOnce } from './run-once.ts'

/** A folder with TypeScript and JavaScript tools. */
export interface NodeSourceOptions extends ProcessPlace {
  readonly folder: string
  readonly origin: Origin
  readonly workspace: string
  watch(folder: string, onChange: () => void): FolderWatch
  /** Rejects where the folder may not be loaded now. */
  check?(): Promise<void>
}

/** Effects of a project's tools that run in the process which stays, and can change nothing; the others get one of their own for each call, whose changes are judged. */
const STAYING: readonly Effect[] = ['none', 'read', 'network']

/** Makes the source of a folder's TypeScript and JavaScript tools. A process is started only where there is such a file. */
export function createNodeSource(options: NodeSourceOptions): ToolSource {
  const folder = new NodeFolder(options)
  return {
    id: `node:${options.folder}`,
    origin: options.origin,
    load: (given) => folder.load(given?.force ?? false),
    onChange: (listener) => folder.follow(listener),
    isSame: (before, after) => folder.versions.isSame(before, after),
    isCurrent: (tool) => folder.versions.isCurrent(tool),
    close: () => folder.close(),
  }
}

/** Seconds that a file may hold up the others. */
const SLOW_AFTER = 1

type GivenLoad = GivenFile & { readonly digest: string }

/** A file that was slow to load: it has a process of its own, and is loaded again only when it changes. */
interface SlowLoad {
  readonly digest: string
  load: FileLoad
  /** Ends its process while it is still loading. */
  drop?(): void
}

class NodeFolder {
  readonly #options: NodeSourceOptions
  readonly versions = new Versions<Generation>()
  readonly #slow = new Map<string, SlowLoad>()
  #shared: { readonly generation: Generation | undefined; readonly loads: readonly FileLoad[] } | undefined
  readonly #listeners = new Set<() => void>()
  /** Of the files that were loaded last. */
  #digest: string | undefined
  #culprits = new Map<string, { readonly text: string; readonly problem: FileProblem }>()
  #loading: Promise<unknown> = Promise.resolve()
  #starting: Generation | undefined
  #isClosed = false

  constructor(options: NodeSourceOptions) {
    this.#options = options
  }

  /** One load after the other, so that versions keep their order. */
  load(isForced: boolean): Promise<Loaded> {
    const loaded = this.#loading.then(() => this.#loadNow(isForced))
    this.#loading = loaded.catch(() => undefined)
    return loaded
  }

  follow(listener: () => void): () => void {
    const watch = this.#options.watch(this.#options.folder, listener)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      watch.close()
    }
  }

  /** Resolves when no process is left, not even one that was being loaded. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#endAll()
    await this.#loading
  }

  #endAll(): void {
    for (const generation of this.versions.living) generation.close()
    for (const { drop } of this.#slow.values()) drop?.()
    this.#starting?.close()
  }

  async #loadNow(isForced: boolean): Promise<Loaded> {
    const { folder, check } = this.#options
    const read = readToolFiles(folder)
    const refused = read.files.length > 0 ? await check?.().catch(messageOf) : undefined
    if (typeof refused === 'string') {
      this.#clear()
      return { tools: [], skipped: [{ source: folder, reason: refused }] }
    }
    if (!isForced && this.#digest === read.digest) return joinLoads(this.versions.loads)
    if (this.#isClosed || read.files.length + read.unreadable.length === 0) {
      this.#clear()
      return { tools: [], skipped: [] }
    }
    if (isForced) for (const file of this.#slow.keys()) this.#forgetSlow(file)
    await this.#makeVersion(read)
    this.#digest = read.digest
    if (this.#isClosed) this.#endAll()
    return joinLoads(this.versions.loads)
  }

  #clear(): void {
    this.#digest = undefined
    for (const file of this.#slow.keys()) this.#forgetSlow(file)
    this.#shared = undefined
    this.versions.replace(undefined, [])
  }

  #forgetSlow(file: string): void {
    this.#slow.get(file)?.drop?.()
    this.#slow.delete(file)
  }

  async #makeVersion({ files, helpers, unreadable, digestOf }: FolderFiles): Promise<void> {
    for (const [file, { digest }] of this.#slow) if (digestOf(file) !== digest) this.#forgetSlow(file)
    const texts = new Map(files.map(({ file, text }) => [file, text]))
    const known = [...this.#culprits].filter(([file, { text }]) => texts.get(file) === text)
    const generation = new Generation({
      ...this.#options,
      files: files.filter(({ file }) => !this.#slow.has(file)),
      helpers,
      culprits: new Map(known.map(([file, { problem }]) => [file, problem])),
    })
    this.#starting = generation
    const loaded = await generation.load(SLOW_AFTER)
    const { culprits } = generation
    this.#culprits = new Map([...culprits].map(([file, problem]) => [file, { text: texts.get(file) ?? '', problem }]))
    const broken = [
      ...[...culprits].map(([file, problem]) => ({ file, tools: [], problems: [problem], isBroken: true })),
      ...unreadable.map(({ file, reason }) => ({ file, tools: [], problems: [{ reason }], isBroken: true })),
    ]
    const givenOf = (file: string) => ({
      file: { file, text: texts.get(file) ?? '' },
      ...{ helpers, digest: digestOf(file) },
    })
    const loads = [...listLoaded(loaded, texts), ...broken].map((one) =>
      this.#toFileLoad(one, givenOf(one.file), generation),
    )
    for (const slow of generation.slow) this.#followSlow(slow, givenOf(slow.slow))
    this.#shared = { generation, loads }
    this.#publish()
  }

  /** Makes what is loaded by now the present version. */
  #publish(): void {
    const { generation, loads = [] } = this.#shared ?? {}
    const next = [...loads, ...[...this.#slow.values()].map(({ load }) => load)]
    const sorted = next.toSorted((a, b) => (a.file < b.file ? -1 : 1))
    this.versions.replace(generation, keepLastGood(this.versions.loads, sorted))
  }

  /** Takes in a slow file once it is loaded, unless it has changed since. */
  #followSlow({ slow: file, since, connection, loaded }: SlowFile, given: GivenLoad): void {
    const skipped = [{ source: file, reason: STILL_LOADING, loadingSince: since }]
    const kept: SlowLoad = {
      digest: given.digest,
      load: { file, isBroken: true, tools: [], skipped },
      drop: () => connection.end('its file has changed'),
    }
    this.#slow.set(file, kept)
    void loaded.then((found) => {
      if (this.#isClosed || this.#slow.get(file) !== kept) return connection.end('its file has changed')
      delete kept.drop
      const { helpers } = given
      const parts = { ...this.#options, files: [given.file], helpers, culprits: new Map() }
      const generation = new Generation('tools' in found ? { ...parts, connection } : parts)
      const [one] = 'tools' in found ? listLoaded([found], new Map([[file, given.file.text]])) : []
      const problem = 'tools' in found ? { reason: 'its process did not say what it loaded' } : found
      kept.load = this.#toFileLoad(one ?? { file, tools: [], problems: [problem], isBroken: true }, given, generation)
      this.#publish()
      for (const listener of this.#listeners) listener()
    })
  }

  #toFileLoad(
    { file, tools, problems, isBroken }: LoadedFile,
    { digest, ...given }: GivenLoad,
    generation: Generation,
  ): FileLoad {
    const { origin, workspace, program } = this.#options
    const call: ToolHome['call'] = (order, terms) => {
      const [caller, present] = generation.isRetired
        ? this.#findPresent(order.tool, order.file)
        : [generation, order.file]
      return caller.call({ ...order, file: present }, terms)
    }
    const isOnce = ({ effect = 'run' }: ToolDescription) => origin === 'project' && !STAYING.includes(effect)
    const needsTwo = tools.filter((described) => isOnce(described) && described.functions.includes('steps'))
    return {
      file,
      isBroken,
      tools: tools.flatMap((described) => {
        if (needsTwo.includes(described)) return []
        const once: ToolHome['runOnce'] = (order, context) => runOnce(order, context, { program, ...given })
        const tool = makeRemoteTool(described, {
          file,
          origin,
          workspace,
          call,
          ...(isOnce(described) && { runOnce: once }),
        })
        const loaded = { tool, source: file, ...(described.line !== undefined && { line: described.line }) }
        this.versions.add(loaded, generation, digest)
        return [loaded]
      }),
      skipped: [...problems, ...needsTwo.map(refuseSteps)].map((problem) => ({ source: file, ...problem })),
    }
  }

  /** Where calls of a version that is no longer kept go: to the tool that has the name now. */
  #findPresent(name: string, file: string): readonly [Generation, string] {
    const found = this.versions.findPresent(name, file)
    if (found) return [found.code, found.source]
    throw new ToolError('UNAVAILABLE', `${name} is gone: its file was changed or removed since this session began.`)
  }
}

/** The steps of one call share a process, and a project's tool that changes things has one only once it is approved. */
function refuseSteps({ name, line }: ToolDescription): FileProblem {
  const reason = `tool "${name}" has steps and changes things, which tools of a project cannot; give it execute instead`
  return { ...(line !== undefined && { line }), reason }
}

/** What the process says of the files that it was given; a tool file may make it say anything. */
function listLoaded(loaded: unknown, texts: ReadonlyMap<string, string>): LoadedFile[] {
  if (!Array.isArray(loaded)) throw new Error('the process for TypeScript tools did not say what it loaded')
  return loaded.filter(
    (one): one is LoadedFile =>
      isRecord(one) &&
      texts.has(String(one.file)) &&
      Array.isArray(one.tools) &&
      one.tools.every((tool: unknown) => isRecord(tool) && Array.isArray(tool.functions)) &&
      Array.isArray(one.problems),
  )
}
