import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ToolError } from '../core/call/result.ts'
import type { Sandbox } from '../core/ports/sandbox.ts'
import type { Loaded, ToolSource } from '../core/ports/tool-source.ts'
import { type Project, readProject } from '../settings/project.ts'
import { PROJECT_TOOLS } from '../settings/project-content.ts'
import type { PythonSourceOptions } from '../sources/python/python-source.ts'
import { watchFolder } from '../sources/watch.ts'
import type { HomeParts } from './home-parts.ts'
import { chooseOwnPython, ownToolsEnv } from './programs/own-tools.ts'
import { listToolFolders } from './tool-folders.ts'

/** Where tools are looked for beside the program's own, and what runs them. */
export interface SourcesPlace {
  readonly workspace: string
  readonly project: Project
  readonly sandbox: Sandbox
}

/** Seconds that the import of one tool file may take. */
const IMPORT_SECONDS = 30

/** Makes the sources of the folders with tools: the user's, and the project's. None where there is no home. */
export async function openToolSources(
  place: SourcesPlace,
  home: Pick<HomeParts, 'options' | 'haftHome' | 'live' | 'user' | 'trust' | 'toolFolders'>,
): Promise<readonly ToolSource[]> {
  if (home.options.home === undefined) return []
  const { createPythonSource } = await import('../sources/python/python-source.ts')
  const user = await userPlace(place, home)
  const own = createPythonSource({ ...user, id: 'python', origin: 'user', watch: watchFolder })
  const load = own.load.bind(own)
  own.load = async (options) => addPythonNote(await load(options), home)
  const sources = [own]
  if (place.project.tools.length > 0)
    sources.push(
      createPythonSource({
        ...projectPlace(place),
        id: 'project python',
        origin: 'project',
        watch: watchFolder,
        check: () => checkTrust(place, home),
      }),
    )
  return sources
}

/** Adds what the person should know about the interpreter of their tools. */
function addPythonNote(loaded: Loaded, { user }: Pick<HomeParts, 'user'>): Loaded {
  if (loaded.tools.length === 0 && loaded.skipped.length === 0) return loaded
  const { note } = chooseOwnPython(user?.given.python)
  if (note === undefined) return loaded
  return { ...loaded, skipped: [...loaded.skipped, { source: 'python3', reason: note, isWarning: true }] }
}

type Place = Omit<PythonSourceOptions, 'id' | 'origin'>

/** The user's own tools run as the user. */
async function userPlace(
  { workspace }: SourcesPlace,
  { haftHome, live, user, toolFolders }: Pick<HomeParts, 'haftHome' | 'live' | 'user' | 'toolFolders'>,
): Promise<Place> {
  const { findInterpreter } = await import('../sources/python/find-interpreter.ts')
  const { startAsUser } = await import('../sources/python/start-as-user.ts')
  let interpreter: Promise<string> | undefined
  return {
    hostFolder: findHostFolder(),
    folders: listToolFolders({
      ...{ haftHome, home: homedir(), project: undefined },
      settings: { toolsDirs: toolFolders.given() },
    }).map(({ folder }) => folder),
    workspace,
    cacheFolder: join(haftHome, 'cache/python'),
    isSandboxed: false,
    importSeconds: IMPORT_SECONDS,
    async launch(order) {
      const env = ownToolsEnv(live)
      interpreter ??= findInterpreter({ ...chooseOwnPython(user?.given.python), env, home: homedir() })
      const argv = [await interpreter, ...order.argv]
      return startAsUser({ ...order, argv }, { cwd: workspace, env })
    },
  }
}

/** A project's tools run in the sandbox or not at all. */
function projectPlace({ workspace, sandbox }: SourcesPlace): Place {
  return {
    hostFolder: findHostFolder(),
    folders: [join(workspace, PROJECT_TOOLS)],
    workspace,
    isSandboxed: true,
    importSeconds: IMPORT_SECONDS,
    async launch(order) {
      if (sandbox.start === undefined)
        throw new ToolError(
          'UNAVAILABLE',
          "A project's tools run in a sandbox that keeps programs, which is not this one.",
        )
      const argv = ['python3', ...order.argv]
      return sandbox.start({ ...order, argv })
    },
  }
}

/** Throws where the project's tools are not those that a person has trusted. */
async function checkTrust({ workspace }: SourcesPlace, { trust }: Pick<HomeParts, 'trust'>): Promise<void> {
  const { isTrusted } = await readProject(workspace, trust)
  if (!isTrusted)
    throw new ToolError(
      'UNAVAILABLE',
      "The project's tools are not trusted, or have changed since. Look at them and run: haft trust",
    )
}

/** The folder with the host for Python tools, beside the built program or at the root of the repository: what a person puts on PYTHONPATH to test tools of their own. */
export function findHostFolder(): string {
  const folders = ['../python', '../../python'].map((folder) => resolve(import.meta.dirname, folder))
  const found = folders.find((folder) => existsSync(join(folder, 'host.py')))
  if (found === undefined) throw new Error('the host for Python tools is missing from this installation of Haft')
  return found
}
