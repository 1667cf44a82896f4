import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import type { ToolSource } from '../core/ports/tool-source.ts'
import type { Project } from '../settings/project.ts'
import { readProjectTools } from '../settings/project-tools.ts'
import { createNodeSource } from '../sources/node/node-source.ts'
import { type StartProcess, startAsUser } from '../sources/node/tool-process.ts'
import { watchFolder } from '../sources/watch.ts'
import { checkToolNames } from './check-tool-names.ts'
import type { HomeParts } from './home-parts.ts'
import { type OpenedRegistry, openRegistry } from './open-registry.ts'
import { listToolFolders, type ToolFolder } from './tool-folders.ts'

/** The program that runs TypeScript and JavaScript tools; the build keeps it a file of its own, beside the same folders. */
const PROGRAM = join(import.meta.dirname, `../sources/node/child/main${extname(import.meta.filename)}`)

/** Whose tools are opened. */
export interface ToolsPlace {
  readonly workspace: string
  readonly project: Project
  /** Starts a process in the sandbox; left out where none can stay there. */
  readonly startInSandbox?: StartProcess
}

/** Opens the registry of a workspace: built-in tools, those of the program, of the user's folders and of the project's. Throws where a tool of the program is wrong, or settings name a tool that is not there. */
export async function openTools(place: ToolsPlace, home: HomeParts): Promise<OpenedRegistry> {
  const { options, user } = home
  const own = listSources(place, home)
  const close = () => Promise.all(own.map((source) => source.close?.()))
  try {
    const opened = await openRegistry({ ...options, sources: [...own, ...(options.sources ?? [])] })
    for (const file of [user, place.project.file]) await checkToolNames(file, opened.registry.snapshot)
    return {
      ...opened,
      async close() {
        await opened.close()
        await close()
      },
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** The sources of all tool folders; none where there is no home, since nothing is read from it then. */
function listSources(place: ToolsPlace, { options, settings, haftHome, trust }: HomeParts): readonly ToolSource[] {
  if (options.home === undefined) return []
  const isTrusted = () => readProjectTools(place.workspace, trust).isTrusted
  const project = { folder: place.project.tools.folder, isTrusted }
  return listToolFolders({ haftHome, home: homedir(), settings, project }).map((folder) =>
    openNodeSource(folder, place),
  )
}

const NO_SANDBOX = "a project's tools run in the sandbox, and no program can stay in it on this machine"

function openNodeSource({ folder, origin, refuse }: ToolFolder, place: ToolsPlace): ToolSource {
  const start = origin === 'user' ? startAsUser : place.startInSandbox
  return createNodeSource({
    folder,
    origin,
    workspace: place.workspace,
    program: PROGRAM,
    env: process.env,
    watch: watchFolder,
    start: start ?? refuseStart,
    refuse: () => refuse() ?? (start ? undefined : NO_SANDBOX),
  })
}

/** Never reached: nothing is loaded from a folder that is refused. */
const refuseStart: StartProcess = () => {
  throw new Error(NO_SANDBOX)
}
