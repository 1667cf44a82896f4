import type { Layer } from '../core/rules/rule.ts'
import type { Origin } from '../core/tool/snapshot.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { HomeParts } from './home-parts.ts'
import { checkToolNames } from './open/check-tool-names.ts'
import { openNodeSources } from './open-node-sources.ts'
import { type OpenedRegistry, openRegistry } from './open-registry.ts'
import { openToolSources, type SourcesPlace } from './open-tool-sources.ts'
import { type AllSessionTools, createSessionTools } from './sessions/session-tools.ts'

/** Whose rules they are that come with tools, where they are not the user's. */
const LAYER_OF: Readonly<Partial<Record<Origin, Layer>>> = { project: 'project' }

/** The tools of a workspace, and what its sessions have of them. */
export interface OpenedTools extends OpenedRegistry {
  readonly sessions: AllSessionTools
  /** Starts the MCP server of a tool that is not there yet, and waits for it. */
  prepareTool(name: string): Promise<void>
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
  const sources = [...(options.sources ?? []), ...folders, ...servers]
  let sessions: AllSessionTools | undefined
  try {
    const opened = await openRegistry({
      ...options,
      sources,
      onReloaded: () => sessions?.moveOn(),
      replaceRules: ({ id, origin }, given) =>
        place.rules.replace(given, { layer: LAYER_OF[origin] ?? 'user', source: id }),
    })
    for (const file of toolFolders ? [user, place.project.file] : [])
      await checkToolNames(file, opened.registry.snapshot)
    sessions = createSessionTools({ registry: opened.registry, sources, emit: home.bus.emit, servers: home.mcp })
    return {
      ...opened,
      sessions,
      async prepareTool(name) {
        if (opened.registry.get(name) === undefined && home.mcp.ownsTool(name)) await opened.refresh()
      },
      async close() {
        await opened.close()
        await closeFolders()
      },
    }
  } catch (thrown) {
    await closeFolders()
    throw thrown
  }
}
