import { join } from 'node:path'
import { messageOf } from '../core/call/result.ts'
import type { Loaded, ToolSource } from '../core/ports/tool-source.ts'
import { loadToolFolder } from '../registry/load-folder.ts'
import { createRegistry, type Registry } from '../registry/registry.ts'
import type { HomeOptions } from './home-options.ts'

/** A registry that is updated when its sources change. */
export interface OpenedRegistry {
  readonly registry: Registry
  /** Stops listening to the sources. */
  close(): Promise<void>
}

const NOTHING: Loaded = { tools: [], skipped: [] }

/** Loads the built-in tools, the program's own and those of its sources. A source that changes is loaded again. Rejects if a tool of the program is invalid or its name is taken. */
export async function openRegistry({
  tools = [],
  sources = [],
}: Pick<HomeOptions, 'tools' | 'sources'>): Promise<OpenedRegistry> {
  const registry = createRegistry()
  registry.setSource('built-in', await loadToolFolder(join(import.meta.dirname, '../tools')), 'built-in')
  for (const tool of tools) registry.register(tool)
  // Registered in order before the first is loaded, so that name conflicts do not depend on which source is faster.
  for (const { id, origin } of sources) registry.setSource(id, NOTHING, origin)
  const stops = await Promise.all(sources.map((source) => followSource(registry, source)))
  return {
    registry,
    async close() {
      for (const stop of stops) stop()
    },
  }
}

/** Loads a source now and whenever it changes. Returns a function that stops this. The outcome of an earlier load is dropped if a later one has started. */
async function followSource(registry: Registry, source: ToolSource): Promise<() => void> {
  const { id, origin } = source
  let latest = 0
  const load = async (): Promise<void> => {
    const current = ++latest
    const loaded = await source
      .load()
      .catch((thrown) => ({ ...NOTHING, skipped: [{ source: id, reason: messageOf(thrown) }] }))
    if (current === latest) registry.setSource(id, loaded, origin)
  }
  const stop = source.onChange?.(() => void load())
  await load()
  return () => {
    latest++
    stop?.()
  }
}
