import { createHttp } from '../../http/http.ts'
import { readProvider, type SearchProvider } from '../../http/search/search-provider.ts'
import { createTaskPorts } from '../../http/task-ports.ts'
import type { Parts } from '../../pipeline/request.ts'
import type { HomeParts } from '../home-parts.ts'

/** Opens the network of a workspace's calls: guarded access for the web tools and commands, and the ports of tasks. */
export function openNetwork({ options, settings }: HomeParts): Pick<Parts, 'http' | 'ports' | 'hosts'> {
  const isOwnPort = (port: number) => port === settings.server.port || port === options.serverPort
  const ports = createTaskPorts(isOwnPort)
  const http = createHttp({
    network: options.network,
    search: searchOf(settings.web.search),
    isOwnPort,
    isTaskPort: (port, session) => ports.list(session).some((one) => one.port === port),
  })
  return { http, ports, hosts: { web: settings.web.allow, commands: settings.network } }
}

/** The settings were checked when they were read, so that only their address can be wrong here. */
function searchOf(setting: string | undefined): SearchProvider | undefined {
  const read = setting === undefined ? undefined : readProvider(setting, process.env)
  if (typeof read === 'string') throw new Error(`[web] search: ${read}`)
  return read
}
