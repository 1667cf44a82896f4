import { homedir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { ToolError } from '../core/call/result.ts'
import type { ToolSource } from '../core/ports/tool-source.ts'
import { readProject } from '../settings/project.ts'
import { PROJECT_TOOLS } from '../settings/project-content.ts'
import { findZod } from '../sources/node/command.ts'
import { createNodeSource, type NodeSourceOptions } from '../sources/node/node-source.ts'
import { startAsUser } from '../sources/python/start-as-user.ts'
import { watchFolder } from '../sources/watch.ts'
import type { HomeParts } from './home-parts.ts'
import type { SourcesPlace } from './open-tool-sources.ts'
import { ownToolsEnv } from './programs/own-tools.ts'
import { listToolFolders, type ToolFolder } from './tool-folders.ts'

/** The program that runs TypeScript and JavaScript tools; the build keeps it a file of its own. */
const PROGRAM = join(import.meta.dirname, `../sources/node/child/main${extname(import.meta.filename)}`)

/** Makes the sources of TypeScript and JavaScript tools, one a folder. None where there is no home. */
export function openNodeSources(place: SourcesPlace, home: HomeParts): readonly ToolSource[] {
  const { options, toolFolders, haftHome } = home
  if (options.home === undefined) return []
  const project = place.project.tools.length > 0 ? join(place.workspace, PROJECT_TOOLS) : undefined
  const settings = { toolsDirs: toolFolders.given() }
  return listToolFolders({ haftHome, home: homedir(), settings, project }).map((folder) =>
    openNodeSource(folder, place, home),
  )
}

function openNodeSource({ folder, origin }: ToolFolder, place: SourcesPlace, home: HomeParts): ToolSource {
  const { workspace } = place
  const terms = origin === 'user' ? userTerms(place, home) : projectTerms(place, home)
  return createNodeSource({ folder, origin, workspace, program: PROGRAM, watch: watchFolder, ...terms })
}

type Terms = Pick<NodeSourceOptions, 'launch' | 'check'>

/** The user's own tools run as the user. */
function userTerms({ workspace }: SourcesPlace, { live }: HomeParts): Terms {
  const place = () => ({ cwd: workspace, env: ownToolsEnv(live), isOwnGroup: true })
  return { launch: async (order) => startAsUser(order, place()) }
}

/** A project's tools run in the sandbox or not at all, and only while a person trusts exactly these. */
function projectTerms({ workspace, sandbox }: SourcesPlace, { trust }: HomeParts): Terms {
  return {
    async launch(order) {
      if (sandbox.start) return sandbox.start(order)
      const text = "A project's tools run in a sandbox that keeps programs, which is not this one."
      throw new ToolError('UNAVAILABLE', text)
    },
    async check() {
      if ((await readProject(workspace, trust)).isTrusted) return
      throw new Error("the project's tools are not trusted, or have changed since; look at them and run: haft trust")
    },
  }
}

/** What a project's TypeScript tools need to read besides the project: Node, Haft's own code, and zod. */
export function listNodeFolders(): readonly string[] {
  return [dirname(process.execPath), resolve(PROGRAM, '../../../..'), findZod()]
}
