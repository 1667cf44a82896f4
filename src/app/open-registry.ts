import { join } from 'node:path'
import { messageOf } from '../core/call/result.ts'
import type { Loaded, ToolSource } from '../core/ports/tool-source.ts'
import type { Rule } from '../core/rules/rule.ts'
import type { Skipped } from '../core/tool/snapshot.ts'
import { loadToolFolder } from '../registry/load-folder.ts'
import { createRegistry, NOT_LOADED, type Registry } from '../registry/registry.ts'
import type { HomeOptions } from './home-options.ts'

/** A registry that is updated when its sources change. */
export interface OpenedRegistry {
  readonly registry: Registry
  /** Loads every source again, also where nothing seems to have changed. */
  refresh(): Promise<void>
  /** Resolves when each folder is loaded, except files that take long. */
  readonly begun: Promise<void>
  /** True while a file of a folder is loading. */
  isLoading(): boolean
  /** Waits while files are loading that may define the tool, or bring rules for it, until the signal aborts or this is closed. Undefined where there is nothing to wait for. */
  waitFor(name: string, signal?: AbortSignal): Promise<void> | undefined
  /** Calls the listener with each file that is slow or broken, also with those that are so now. Returns a function that stops this. */
  onFileProblem(listener: (problem: Skipped) => void): () => void
  /** Stops listening to the sources. */
  close(): Promise<void>
}

/** Puts the rules of a source in the place of those it gave before; returns what is no rule, in words. */
export type ReplaceRules = (source: ToolSource, rules: readonly Rule[]) => readonly string[]

/** What a registry is filled from. */
export interface RegistryParts extends Pick<HomeOptions, 'tools' | 'sources'> {
  /** Sources that are loaded in the background. */
  readonly folders?: readonly ToolSource[]
  readonly replaceRules: ReplaceRules
  /** Called after the tools of a source were loaded again. */
  onReloaded(): void
}

/** Loads the built-in tools, the program's own and those of its sources. A source that changes is loaded again. Rejects if a tool of the program is invalid or its name is taken. */
export async function openRegistry(parts: RegistryParts): Promise<OpenedRegistry> {
  const { tools = [], sources = [], folders = [] } = parts
  const registry = createRegistry()
  registry.setSource('built-in', await loadToolFolder(join(import.meta.dirname, '../tools')), 'built-in')
  for (const tool of tools) registry.register(tool)
  // Registered in order before the first is loaded, so that name conflicts do not depend on which source is faster.
  for (const { id, origin } of [...folders, ...sources]) registry.setSource(id, NOT_LOADED, origin)

  const waiting = new Set<() => void>()
  let isClosed = false
  const announced = new Map<string, Skipped>()
  const listeners = new Set<(problem: Skipped) => void>()
  const wake = (): void => {
    for (const goOn of [...waiting]) goOn()
  }
  const announce = (): void => {
    const ids = new Set(folders.map(({ id }) => id))
    const problems = registry.snapshot().skipped.filter((one) => isFileProblem(one, ids))
    const keys = new Map(problems.map((one) => [`${one.source}\n${one.reason}`, one]))
    for (const key of announced.keys()) if (!keys.has(key)) announced.delete(key)
    for (const [key, problem] of keys) {
      if (announced.has(key)) continue
      announced.set(key, problem)
      for (const listener of listeners) listener(problem)
    }
  }
  const onReloaded = (): void => {
    parts.onReloaded()
    announce()
    wake()
  }
  const follow = (source: ToolSource) => followSource(registry, source, { ...parts, onReloaded })
  const background = folders.map(follow)
  const followed = [...background, ...sources.map(follow)]
  let begun = 0
  for (const { first } of background)
    void first.then(() => {
      begun++
      wake()
    })
  const isLoading = () =>
    begun < folders.length || registry.snapshot().skipped.some(({ loadingSince }) => loadingSince !== undefined)
  await Promise.all(followed.slice(folders.length).map(({ first }) => first))
  return {
    registry,
    async refresh() {
      await Promise.all(followed.map((source) => source.refresh()))
    },
    begun: Promise.all(background.map(({ first }) => first)).then(() => undefined),
    isLoading,
    waitFor(name, signal) {
      const isNeeded = () =>
        !isClosed &&
        isLoading() &&
        (registry.get(name) === undefined || folders.some((source) => source.awaitsRules?.()))
      if (!isNeeded()) return undefined
      return waitWhile(() => isNeeded() && !signal?.aborted, { waiting, signal })
    },
    onFileProblem(listener) {
      listeners.add(listener)
      for (const problem of announced.values()) listener(problem)
      return () => listeners.delete(listener)
    },
    async close() {
      for (const { stop } of followed) stop()
      isClosed = true
      wake()
    },
  }
}

/** True for a file of a folder, or a folder, that gives less than it should. */
function isFileProblem({ source, isWarning }: Skipped, folders: ReadonlySet<string>): boolean {
  return isWarning !== true && (folders.has(source) || source.startsWith('/'))
}

interface Waiting {
  readonly waiting: Set<() => void>
  readonly signal: AbortSignal | undefined
}

/** Resolves once the condition is false; it is tried again after each load, and when the signal aborts. */
async function waitWhile(isNeeded: () => boolean, { waiting, signal }: Waiting): Promise<void> {
  while (isNeeded()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    await promise
    waiting.delete(resolve)
  }
}

/** A source that is loaded again when it changes. */
interface Followed {
  /** Resolves when what was loaded first is in the registry. */
  readonly first: Promise<void>
  /** Resolves when what was loaded last is in the registry. */
  refresh(): Promise<void>
  stop(): void
}

/** Loads a source now and whenever it changes. The outcome of an earlier load is dropped if that of a later one is there, or if nobody follows the source any more. */
function followSource(
  registry: Registry,
  source: ToolSource,
  { replaceRules, onReloaded }: Pick<RegistryParts, 'replaceRules' | 'onReloaded'>,
): Followed {
  const { id, origin } = source
  let turn = 0
  /** The last turn whose outcome is in the registry. */
  let shown = 0
  let latest = Promise.resolve()
  const loadNow = async (mine: number, isForced: boolean): Promise<void> => {
    const loaded: Loaded = await source
      .load({ force: isForced })
      .catch((thrown) => ({ tools: [], skipped: [{ source: id, reason: messageOf(thrown) }] }))
    if (mine < shown) return
    shown = mine
    const wrong = replaceRules(source, loaded.rules ?? []).map((reason) => ({ source: id, reason }))
    registry.setSource(id, { ...loaded, skipped: [...loaded.skipped, ...wrong] }, origin)
    onReloaded()
  }
  const load = (isForced: boolean): Promise<void> => {
    latest = loadNow(++turn, isForced)
    return latest
  }
  const stop = source.onChange?.(() => void load(false))
  return {
    first: load(false),
    async refresh() {
      load(true)
      for (let awaited: Promise<void> | undefined; awaited !== latest; await awaited) awaited = latest
    },
    stop() {
      shown = Number.POSITIVE_INFINITY
      stop?.()
    },
  }
}
