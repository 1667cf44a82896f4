import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { extname } from 'node:path'
import type { Programs } from '../../core/ports/developer/programs.ts'
import type { RunNetwork } from '../../core/ports/sandbox.ts'
import { type BwrapProcess, killQuietly, SYSTEM_PATH } from '../bubblewrap/bwrap-process.ts'
import type { Profile } from '../bubblewrap/profile.ts'
import { withoutStrayDescriptors } from '../bubblewrap/stray-descriptors.ts'
import type { GroupMaker } from '../limits/control-group.ts'
import { childrenOf } from '../limits/process-tree.ts'
import { carryNetwork } from './carry-network.ts'

/** Where Node is inside the sandbox of the forwarder, and the forwarder without its ending. */
const NODE = '/run/haft/node'
const FORWARDER = '/run/haft/forwarder'

/** It passes bytes on and keeps none, and no signal opens Node's inspector. */
const OPTIONS = ['--disable-sigusr1', '--max-old-space-size=64', '--v8-pool-size=1']

/** It has about eight threads and a heap of up to 64 MB; bubblewrap around it is counted too. Where no control group limits it, its filter, its heap and the number of its connections do. */
const LIMITS = { processes: 16, memory: 200 * 1024 ** 2 }

/** The descriptors of the socket pair, and of the filter of system calls. */
const CARRIER = 3
const FILTER = 4

/** The program that carries the network of one sandbox. It runs in a sandbox of its own, which shares nothing with the command but the network namespace: the command cannot see, signal or trace it. */
export interface Forwarder {
  /** Resolves to the port of its proxy; to undefined when it could not be started. */
  readonly port: Promise<number | undefined>
  /** Lets a run reach its network. Called once, after `port`. */
  serve(network: RunNetwork): Promise<void>
  /** Closes all connections and ends it; resolves when it is gone. May be called twice. */
  close(): Promise<void>
}

/** What a forwarder needs. */
export interface ForwarderParts {
  /** The sandbox whose network it carries. */
  readonly bwrap: Pick<BwrapProcess, 'pid' | 'ready'>
  /** The path of its code. */
  readonly forwarder: string
  readonly profile: Profile
  readonly groups: GroupMaker
  /** The command that starts bubblewrap as the owner of the workspace. */
  readonly command: readonly string[]
  readonly programs: Programs
}

/** Starts the forwarder of a sandbox as soon as its network exists. It does not keep Haft running. */
export function startForwarder(parts: ForwarderParts): Forwarder {
  const started = parts.bwrap.ready.then((first) => (first === undefined ? undefined : start(parts, first)))
  started.catch(() => undefined)
  return {
    port: started.then((running) => running?.port),
    serve: async (network) => (await started)?.carried.serve(network),
    close: async () => (await started.catch(() => undefined))?.end(),
  }
}

function start({ bwrap, forwarder, profile, groups, command, programs }: ForwarderParts, first: number) {
  // Node tells modules from scripts by the ending.
  const inside = `${FORWARDER}${extname(forwarder) === '.ts' ? '.mts' : '.mjs'}`
  const [program = '', ...args] = withoutStrayDescriptors(
    [
      programs.system('nsenter'),
      ...enterNetwork(bwrap.pid, first),
      ...command,
      ...profile.beside(FILTER),
      ...['--setenv', 'UV_THREADPOOL_SIZE', '1', '--ro-bind', process.execPath, NODE, '--ro-bind', forwarder, inside],
      ...['--remount-ro', '/', '--', NODE, ...OPTIONS, inside, `${CARRIER}`],
    ],
    FILTER,
  )
  const filter = profile.openFilterBeside()
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', filter],
    detached: true,
    env: { PATH: SYSTEM_PATH },
    cwd: '/',
  })
  closeSync(filter)
  const gone = new Promise<void>((resolve) => child.on('error', () => resolve()).on('exit', () => resolve()))
  const socket = child.stdio[CARRIER]
  if (!(socket instanceof Socket)) throw new Error('the forwarder was started without its socket pair')
  child.unref()
  socket.unref()
  const carried = carryNetwork(socket)
  const group = groups.make()
  const end = async () => {
    carried.close()
    // Its first process inside takes all others with it, and bubblewrap ends after that.
    const [inside = child.pid] = childrenOf(child.pid ?? 0)
    if (inside !== undefined && child.exitCode === null && child.signalCode === null) killQuietly(inside)
    await gone
    await group.remove()
  }
  /** Limits it before the command runs, whose connections are all that could make it grow. */
  const limited = async () => {
    const port = await carried.begun
    if (port === undefined || child.pid === undefined) return undefined
    group.limit(LIMITS)
    return group.take(child.pid).then(
      () => port,
      () => undefined,
    )
  }
  return { port: limited(), carried, end }
}

/** Returns the arguments of nsenter that enter the network namespace of a sandbox. Without being root this goes through the user namespace that the sandbox was started in. */
function enterNetwork(outermost: number, first: number): string[] {
  const network = `--net=/proc/${first}/ns/net`
  if (process.getuid?.() === 0) return [network, '--']
  return ['--preserve-credentials', `--user=/proc/${outermost}/ns/user`, network, '--']
}

/** Variables that programs find their proxy by. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
const EXCEPTIONS = 'localhost,127.0.0.1,::1'

/** Returns the variables that tell programs of the proxy. */
export function proxyVariables(port: number): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(PROXIES.map((name) => [name, `http://127.0.0.1:${port}`])),
    ...{ NO_PROXY: EXCEPTIONS, no_proxy: EXCEPTIONS, NODE_USE_ENV_PROXY: '1' },
  }
}
