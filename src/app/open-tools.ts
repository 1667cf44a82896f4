import { setTimeout as delay } from 'node:timers/promises'
import type { Layer } from '../core/rules/rule.ts'
import type { Origin } from '../core/tool/snapshot.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { HomeParts } from './home-parts.ts'
import { checkToolNames, listToolNames } from './open/check-tool-names.ts'
import { openNodeSources } from './open-node-sources.ts'
import { type OpenedRegistry, openRegistry } from './open-registry.ts'
import { openToolSources, type SourcesPlace } from './open-tool-sources.ts'
import { type AllSessionTools, createSessionTools } from './sessions/session-tools.ts'

/** Whose rules they are that come with tools, where they are not the user's. */
const LAYER_OF: Readonly<Partial<Record<Origin, Layer>>> = { project: 'project' }

/** How long a workspace waits for the files of its folders when it opens, in milliseconds; those that take longer come later. */
const LONGEST_WAIT = 5_000

/** The tools of a workspace, and what its sessions have of them. */
export interface OpenedTools extends OpenedRegistry {
  readonly sessions: AllSessionTools
  /** Starts the MCP server of a tool that is not there yet, and waits for it. */
  prepareTool(name: string): Promise<void>
  /** Waits for tools of these names while files are loading. */
  ready(names?: readonly string[]): Promise<void>
}

/** Opens all tools of a workspace: built-in, the program's, and those of folders, whose rules join the others. Throws where a tool of the program is wrong, or settings name one that is not there. */
export async function openTools(
  place: SourcesPlace & { readonly rules: RuleBook },
  home: HomeParts,
): Promise<OpenedTools> {
  const { options, user } = home
  const { toolFolders = true } = options
  const folders = toolFolders ? [...(await openToolSources(place, home)), ...openNodeSources(place, home)] : []
  const closeFolders = () => Promise.all(folders.map((source) => source.close?.()))
  const servers = toolFolders ? [home.mcp.source] : []
  const others = [...(options.sources ?? []), ...servers]
  const sources = [...folders, ...others]
  let sessions: AllSessionTools | undefined
  let opened: OpenedRegistry | undefined
  try {
    opened = await openRegistry({
      ...options,
      folders,
      sources: others,
      onReloaded: () => sessions?.moveOn(opened?.isLoading() ?? true),
      replaceRules: ({ id, origin }, given) =>
        place.rules.replace(given, { layer: LAYER_OF[origin] ?? 'user', source: id }),
    })
    const { registry, isLoading, waitFor, refresh, close } = opened
    const ready = async (names: readonly string[] = []) => void (await Promise.all(names.map((name) => waitFor(name))))
    const files = toolFolders ? [user, place.project.file] : []
    const needed = toolFolders === 'later' ? ready(files.flatMap(listToolNames)) : opened.begun
    await Promise.race([needed, delay(LONGEST_WAIT, undefined, { ref: false })])
    for (const file of files) await checkToolNames(file, registry.snapshot, isLoading())
    sessions = createSessionTools({ registry, sources, emit: home.bus.emit, servers: home.mcp, isLoading })
    return {
      ...opened,
      sessions,
      ready,
      async prepareTool(name) {
        if (registry.get(name) === undefined && home.mcp.ownsTool(name)) await refresh()
      },
      async close() {
        await close()
        await closeFolders()
      },
    }
  } catch (thrown) {
    await closeFolders()
    throw thrown
  }
}
