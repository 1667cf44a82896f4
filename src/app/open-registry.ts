import { join } from 'node:path'
import { messageOf } from '../core/call/result.ts'
import type { Loaded, ToolSource } from '../core/ports/tool-source.ts'
import type { Rule } from '../core/rules/rule.ts'
import { loadToolFolder } from '../registry/load-folder.ts'
import { createRegistry, type Registry } from '../registry/registry.ts'
import type { HomeOptions } from './home-options.ts'

/** A registry that is updated when its sources change. */
export interface OpenedRegistry {
  readonly registry: Registry
  /** Loads every source again, also where nothing seems to have changed. */
  refresh(): Promise<void>
  /** Stops listening to the sources. */
  close(): Promise<void>
}

/** Puts the rules of a source in the place of those it gave before; returns what is no rule, in words. */
export type ReplaceRules = (source: ToolSource, rules: readonly Rule[]) => readonly string[]

/** What a registry is filled from. */
export interface RegistryParts extends Pick<HomeOptions, 'tools' | 'sources'> {
  readonly replaceRules: ReplaceRules
  /** Called after the tools of a source were loaded again. */
  onReloaded(): void
}

const NOTHING: Loaded = { tools: [], skipped: [] }

/** Loads the built-in tools, the program's own and those of its sources. A source that changes is loaded again. Rejects if a tool of the program is invalid or its name is taken. */
export async function openRegistry(parts: RegistryParts): Promise<OpenedRegistry> {
  const { tools = [], sources = [] } = parts
  const registry = createRegistry()
  registry.setSource('built-in', await loadToolFolder(join(import.meta.dirname, '../tools')), 'built-in')
  for (const tool of tools) registry.register(tool)
  // Registered in order before the first is loaded, so that name conflicts do not depend on which source is faster.
  for (const { id, origin } of sources) registry.setSource(id, NOTHING, origin)
  const followed = await Promise.all(sources.map((source) => followSource(registry, source, parts)))
  return {
    registry,
    async refresh() {
      await Promise.all(followed.map((source) => source.refresh()))
    },
    async close() {
      for (const { stop } of followed) stop()
    },
  }
}

/** A source that is loaded again when it changes. */
interface Followed {
  /** Resolves when what was loaded last is in the registry. */
  refresh(): Promise<void>
  stop(): void
}

/** Loads a source now and whenever it changes. The outcome of an earlier load is dropped if that of a later one is there, or if nobody follows the source any more. */
async function followSource(
  registry: Registry,
  source: ToolSource,
  { replaceRules, onReloaded }: Pick<RegistryParts, 'replaceRules' | 'onReloaded'>,
): Promise<Followed> {
  const { id, origin } = source
  let turn = 0
  /** The last turn whose outcome is in the registry. */
  let shown = 0
  let latest = Promise.resolve()
  const loadNow = async (mine: number, isForced: boolean): Promise<void> => {
    const loaded: Loaded = await source
      .load({ force: isForced })
      .catch((thrown) => ({ ...NOTHING, skipped: [{ source: id, reason: messageOf(thrown) }] }))
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
  await load(false)
  return {
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
