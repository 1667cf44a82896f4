import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { messageOf, ToolError } from '../../core/call/result.ts'
import type { ListedMcpServer } from '../../core/mcp/listed-server.ts'
import { isLocal, type LocalMcpServer, type McpServerSettings } from '../../core/mcp/mcp-settings.ts'
import type { ToolSource } from '../../core/ports/tool-source.ts'
import { maskSecrets } from '../../core/secrets/mask-secrets.ts'
import { openKeptFile } from '../../settings/kept-file.ts'
import { addManagedServer, checkAddedServer, removeManagedServer } from '../../settings/managed/managed-mcp.ts'
import type { SettingsFile } from '../../settings/read-settings.ts'
import { type AcceptedTools, openAcceptedTools } from '../../sources/mcp/accepted-tools.ts'
import { McpServer } from '../../sources/mcp/mcp-server.ts'
import { keptProvider } from '../../sources/mcp/oauth/auth-provider.ts'
import { type KeptSignIns, openSignIns } from '../../sources/mcp/oauth/kept-sign-ins.ts'
import { createBurst } from '../../sources/watch/burst.ts'
import type { LiveSettings } from '../open/live-settings.ts'
import { programs } from '../programs/programs.ts'
import type { HomeMasker } from '../secrets/home-masker.ts'
import { expandVariables } from './expand-variables.ts'
import { listServerSecrets } from './server-secrets.ts'

/** How a server is tried. */
export interface TryOptions {
  /** Accepts the present definitions of tools that have changed. */
  readonly accept?: boolean
  /** Shows the person the page where they sign in, for a remote server that wants it. When left out, such a server cannot be used. */
  show?(page: URL): void
}

/** A server after it was tried. */
export interface TestedServer extends ListedMcpServer {
  /** The names of its tools. */
  readonly toolNames: readonly string[]
}

/** The MCP servers of a home. Each is started once, when it is first needed, for all workspaces. */
export interface McpServers {
  /** Lists the servers as they are now; starts none. */
  list(): Promise<readonly ListedMcpServer[]>
  /** Tries a server and stores it. Rejects with ToolError where it is invalid, its name is taken or it cannot be used; nothing is stored then. */
  add(name: string, settings: McpServerSettings, options?: Pick<TryOptions, 'show'>): Promise<TestedServer>
  /** Stops and removes a server that was added here, with what is kept of it; false if there is none of that name. */
  remove(name: string): Promise<boolean>
  /** Starts a server, or asks a running one anew, and says what it offers. Rejects with ToolError. */
  test(name: string, options?: TryOptions): Promise<TestedServer>
  /** Starts servers, all where none is named, without waiting for them. */
  wake(names?: readonly string[]): void
  /** Resolves when every server is ready or has failed. */
  settle(): Promise<void>
}

/** The servers, with what only a home may use. */
export interface OpenedMcpServers extends McpServers {
  readonly source: ToolSource
  /** True for the name of a tool of a configured server, whether or not it is connected. */
  ownsTool(name: string): boolean
  close(): Promise<void>
}

interface McpParts {
  readonly home: string | undefined
  /** The settings of the home: servers that another process adds or removes join or leave here too. */
  readonly live: Pick<LiveSettings, 'now' | 'on'>
  readonly user: SettingsFile | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly masker: HomeMasker
}

/** What a program gets of the environment: what programs run with, and what those that load something need to reach the network. Keys and tokens are not passed on; the settings of a server name what it needs. */
const PASSED_ON = new Set([
  ...['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT'],
  ...['NODE_USE_ENV_PROXY', 'NODE_USE_SYSTEM_CA', 'UV_NATIVE_TLS', 'UV_SYSTEM_CERTS'],
])
const NPM_SECRET = /auth|token|password|secret|otp|username|_(key|cert)$/i

/** True for a variable that a program gets. The settings of npm are the person's, unless npm itself wrote them for its scripts: then they may come from the .npmrc of a project. */
function isPassedOn(name: string, { npm_lifecycle_event: script }: McpParts['env']): boolean {
  if (PASSED_ON.has(name)) return true
  const isNpm = name.startsWith('NPM_CONFIG_') || (name.startsWith('npm_config_') && script === undefined)
  return isNpm && !NPM_SECRET.test(name)
}

/** Opens the servers of a home; none is started. */
export function openMcpServers(parts: McpParts): OpenedMcpServers {
  const { home, user } = parts
  const accepted = openAcceptedTools(openKeptFile(home && join(home, 'mcp-tools.json')))
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const burst = createBurst(notify)
  const signIns = openSignIns(openKeptFile(home && join(home, 'mcp-sign-ins.json')))
  const forget = (name: string) => {
    accepted.forget(name)
    signIns.forget(name)
  }
  const set: ServerSet = {
    signIns,
    expand: (settings) => expandVariables(settings, parts.env),
    servers: new Map(),
    owned: new Set(Object.keys(user?.given.mcp ?? {})),
    make: (name, settings) => makeServer(name, settings, { ...parts, accepted, signIns, onChange: burst.add }),
  }
  const { servers } = set
  for (const [name, settings] of Object.entries(parts.live.now().mcp)) servers.set(name, set.make(name, settings))
  const stopFollowing = parts.live.on(() => {
    if (followSettings(set, parts.live.now().mcp)) burst.add()
  })
  const settle = async () => void (await Promise.allSettled([...servers.values()].map((server) => server.ready())))
  return {
    list: () => Promise.all([...servers.values()].map((server) => describe(server, set))),
    ...createChanges(set, { home, forget, onChange: burst.add }),
    async test(name, { accept, show } = {}) {
      const server = servers.get(name)
      if (server === undefined) throw new ToolError('FILE_NOT_FOUND', explainUnknown(name, [...servers.keys()]))
      // What is accepted is what was listed before: a definition that nobody has seen stays held back.
      if (accept) {
        if (!server.isConnected) await tryServer(server, set, show)
        server.acceptChanges()
      }
      return tryServer(server, set, show)
    },
    wake(names) {
      for (const [name, server] of servers) if (names?.includes(name) ?? true) server.wake()
    },
    settle,
    ownsTool: (name) => servers.has(name.slice(0, Math.max(0, name.indexOf(':')))),
    source: {
      id: 'mcp',
      origin: 'mcp',
      async load({ force = false } = {}) {
        if (force) {
          await settle()
          // Loads that began since, while servers were starting, have found less than there is now.
          notify()
        }
        const loaded = [...servers.values()].map((server) => server.load())
        return { tools: loaded.flatMap(({ tools }) => tools), skipped: loaded.flatMap(({ skipped }) => skipped) }
      },
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    async close() {
      stopFollowing()
      burst.close()
      await Promise.allSettled([...servers.values()].map((server) => server.close()))
    },
  }
}

/** The servers of a home by name, and how one more is made. */
interface ServerSet {
  readonly servers: Map<string, McpServer>
  /** Those of the person's own settings file. */
  readonly owned: ReadonlySet<string>
  readonly signIns: KeptSignIns
  make(name: string, settings: McpServerSettings): McpServer
  /** Fills in variables. Throws where one is not set. */
  expand(settings: McpServerSettings): McpServerSettings
}

interface MakeParts extends Pick<McpParts, 'env' | 'masker'> {
  readonly accepted: AcceptedTools
  readonly signIns: KeptSignIns
  onChange(): void
}

function makeServer(
  name: string,
  settings: McpServerSettings,
  { accepted, signIns, env, masker, onChange }: MakeParts,
): McpServer {
  const folder = existsSync(homedir()) ? homedir() : '/'
  return new McpServer({
    ...{ name, settings, accepted, onChange, folder },
    get env() {
      return Object.fromEntries(Object.entries(programs.env()).filter(([key]) => isPassedOn(key, env)))
    },
    expand(given) {
      const expanded = expandVariables(given, env)
      masker.addSecrets(listServerSecrets(expanded))
      return isLocal(expanded) ? withProgram(expanded, folder) : expanded
    },
    mask: (text) => maskSecrets(text, masker).value,
    auth: (url) => keptProvider({ server: name, url, kept: signIns }),
  })
}

/** Names the program of a server by its full path. One that settings name by a path may be in a workspace, and finds what lies beside it. */
function withProgram(settings: LocalMcpServer, folder: string): LocalMcpServer {
  if (!settings.command.includes('/'))
    try {
      return { ...settings, command: programs.chosen(settings.command) }
    } catch (thrown) {
      throw new Error(messageOf(thrown).replace(/\.$/, ''))
    }
  const command = resolve(settings.cwd ?? folder, settings.command)
  return { ...settings, command, env: { PATH: `${programs.env().PATH}:${dirname(command)}`, ...settings.env } }
}

async function describe(server: McpServer, { owned }: ServerSet): Promise<ListedMcpServer> {
  const { name, target } = server
  const isManaged = !owned.has(name)
  const from = isManaged ? 'managed.toml' : 'settings.toml'
  return { name, from, isManaged, target, ...(await server.status()) }
}

/** Starts a server, or asks a running one anew, and lets the person sign in where it wants that. */
async function tryServer(server: McpServer, set: ServerSet, show?: TryOptions['show']): Promise<TestedServer> {
  const { name } = server
  const signInFirst = async () => {
    const settings = set.expand(server.settings)
    if (show === undefined || isLocal(settings)) return false
    const { url, oauth } = settings
    const { signIn } = await import('../../sources/mcp/oauth/sign-in.ts')
    await signIn({ server: name, url, kept: set.signIns, show, ...(oauth && { oauth }) })
    return true
  }
  try {
    await server.readAnew()
  } catch (thrown) {
    const { state } = await server.status()
    if (state !== 'sign-in' || !(await signInFirst())) throw thrown
    await server.ready()
  }
  // A tool may want rights that the sign-in did not give.
  const settings = set.expand(server.settings)
  if (!isLocal(settings) && set.signIns.get(name, settings.url)?.wantedScope !== undefined) await signInFirst()
  return { ...(await describe(server, set)), toolNames: server.load().tools.map(({ tool }) => tool.name) }
}

interface ChangeParts extends Pick<McpParts, 'home'> {
  /** Forgets the tools of a server that were accepted. */
  forget(name: string): void
  onChange(): void
}

/** Makes the servers those of the settings: a new one joins, one that was removed or changed is closed. True where anything changed. */
function followSettings({ servers, make }: ServerSet, wanted: Readonly<Record<string, McpServerSettings>>): boolean {
  const isWanted = (server: McpServer) =>
    Object.hasOwn(wanted, server.name) && isDeepStrictEqual(server.settings, wanted[server.name])
  const left = [...servers.values()].filter((server) => !isWanted(server))
  for (const server of left) {
    servers.delete(server.name)
    server.close().catch(() => undefined)
  }
  const joined = Object.entries(wanted).filter(([name]) => !servers.has(name))
  for (const [name, settings] of joined) servers.set(name, make(name, settings))
  return left.length + joined.length > 0
}

/** What adds and removes servers. */
function createChanges(set: ServerSet, { home, forget, onChange }: ChangeParts): Pick<McpServers, 'add' | 'remove'> {
  const { servers, owned, make } = set
  return {
    async add(name, settings, { show } = {}) {
      if (home === undefined)
        throw new ToolError('UNAVAILABLE', 'MCP servers are stored in HAFT_HOME, but Haft was opened without one.')
      if (servers.has(name))
        throw new ToolError('CONFLICT', `There is an MCP server ${JSON.stringify(name)} already. Remove it first.`)
      checkAddedServer(name, settings)
      const server = make(name, settings)
      try {
        const tried = await tryServer(server, set, show)
        await addManagedServer(home, name, settings)
        servers.set(name, server)
        onChange()
        return tried
      } catch (thrown) {
        await server.close()
        forget(name)
        throw thrown
      }
    },
    async remove(name) {
      const server = servers.get(name)
      if (home === undefined || server === undefined || owned.has(name)) return false
      await removeManagedServer(home, name)
      servers.delete(name)
      forget(name)
      onChange()
      await server.close()
      return true
    },
  }
}

function explainUnknown(name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'None is configured.' : `Configured: ${known.join(', ')}.`
  return `There is no MCP server ${JSON.stringify(name)}. ${list}`
}
