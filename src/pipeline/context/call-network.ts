import type { ClearedCall } from '../../core/call/call.ts'
import { messageOf } from '../../core/call/result.ts'
import { coversHost, isAddress, isLocalName, readHost, showHost } from '../../core/network/web-host.ts'
import type { RunNetwork, RunOrder } from '../../core/ports/sandbox.ts'
import { connects } from '../../core/tool/touch.ts'
import type { Parts } from '../request.ts'

/** The command that has a network. */
interface NetworkRun {
  readonly call: ClearedCall
  readonly order: RunOrder
  /** Aborts when the command has ended. */
  readonly signal: AbortSignal
}

/** The network of a command, and what was refused to it. */
export interface CallNetwork extends RunNetwork {
  readonly refused: ReadonlySet<string>
}

/** The most refusals that are reported. */
const MAX_REFUSED = 3

type NetworkParts = Pick<Parts, 'http' | 'hosts' | 'judge' | 'ports' | 'emit' | 'sandbox'>

/** Returns the network of a command, or undefined if it has none: nothing it names was cleared, and neither settings, rules nor tasks of its session open anything. */
export function networkOf(run: NetworkRun, parts: NetworkParts): CallNetwork | undefined {
  const { call, order, signal } = run
  const { session, id, hosts: cleared } = call
  const { http, hosts, judge, ports, emit, sandbox } = parts
  const own = ports.list(session)
  const isNeeded = [cleared, hosts.commands, own, order.ports ?? []].some((some) => some.length > 0)
  if (!sandbox.canConnect || !(isNeeded || judge.namesHosts(call.entry))) return undefined
  const refuse = (host: string) => refuseCommand(host, call, parts)
  const refused = new Set<string>()
  const note = (host: string, reason: string) => {
    if (refused.size < MAX_REFUSED) refused.add(reason)
    emit({ type: 'call-connect', session, call: id, host, allowed: false, reason })
  }
  return {
    refused,
    local: listLocal(
      hosts.commands,
      own.flatMap(({ inside, port }) => [inside, port]),
    ),
    async connect({ host, port }) {
      const target = ownPort({ host, port }, own)
      const shown = showHost(host, port)
      try {
        const opened = hosts.commands.filter((one) => readHost(one)?.port !== undefined)
        const connection = await http.connect(target, {
          ...{ session, signal, opened, refuse },
          refused: (reason) => note(shown, reason),
        })
        emit({ type: 'call-connect', session, call: id, host: shown, allowed: true })
        return connection
      } catch (thrown) {
        note(shown, messageOf(thrown))
        throw thrown
      }
    },
    begun(reach) {
      for (const inside of order.ports ?? []) void openPort(inside, reach, run, parts)
    },
  }
}

/** A port of a task has its own number inside, where later commands look for it. */
function ownPort(
  { host, port }: { readonly host: string; readonly port: number },
  own: ReturnType<Parts['ports']['list']>,
): { readonly host: string; readonly port: number } {
  if (!isHere(host)) return { host, port }
  return { host, port: own.find(({ inside }) => inside === port)?.port ?? port }
}

function isHere(host: string): boolean {
  return host === '127.0.0.1' || host === '[::1]' || isLocalName(host)
}

/** Returns why a command may not connect to a host, or undefined. */
function refuseCommand(host: string, call: ClearedCall, { judge, hosts, ports }: NetworkParts): string | undefined {
  const denied = judge.findDeny(call, connects(host))
  if (denied) return `Blocked by rule ${denied.rule}: ${denied.reason}.`
  const { host: name = '', port } = readHost(host) ?? {}
  if (isHere(name) && ports.list(call.session).some((one) => one.port === port)) return undefined
  const open = [...call.hosts, ...hosts.commands]
  if (open.some((one) => coversHost(one, host, 'allow')) || judge.allowsHost(call, host)) return undefined
  const others = open.length === 0 ? 'Nothing is open to it.' : `Open to it: ${open.slice(0, 10).join(', ')}.`
  return `${host} is not open to this command. ${others} A person can open a host with [sandbox] network in the settings, or by approving a command that names it.`
}

/** The addresses of this machine that settings and tasks open, as far as they can exist inside. */
function listLocal(hosts: readonly string[], ports: readonly number[]): RunNetwork['local'] {
  const named = hosts.flatMap((text) => {
    const { host = '', port } = readHost(text) ?? {}
    const isLoopback = isLocalName(host) || (isAddress(host) && /^(127\.|\[::1\])/.test(host))
    return isLoopback && port !== undefined ? [{ host: isLocalName(host) ? '127.0.0.1' : host, port }] : []
  })
  const all = [...named, ...ports.map((port) => ({ host: '127.0.0.1', port }))]
  return [...new Map(all.map((one) => [`${one.host}:${one.port}`, one])).values()]
}

async function openPort(
  inside: number,
  reach: Parameters<Required<RunNetwork>['begun']>[0],
  { call, order, signal }: NetworkRun,
  { ports, emit }: NetworkParts,
): Promise<void> {
  const { session, id } = call
  try {
    const { port } = await ports.open({ call: id, session, inside }, reach, signal)
    const url = `http://127.0.0.1:${port}/`
    emit({ type: 'task-port', session, call: id, inside, port, url })
    order.output?.('stdout', `[port ${inside} is open at ${url}]\n`)
  } catch (thrown) {
    emit({ type: 'call-problem', session, call: id, text: `port ${inside} could not be opened: ${messageOf(thrown)}` })
  }
}
