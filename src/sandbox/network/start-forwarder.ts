import { extname } from 'node:path'
import { type BwrapProcess, PIPES } from '../bubblewrap/bwrap-process.ts'
import { childrenOf, readProcess } from '../limits/process-tree.ts'
import type { CarriedNetwork } from './carry-network.ts'

/** Where Node and the forwarder are inside the sandbox. */
const NODE = '/run/haft/node'
const FORWARDER = '/run/haft/forwarder'

/** The forwarder counts against no limit of its run, so it is kept small: it passes bytes on and keeps none. */
const SMALL = '--max-old-space-size=64 --v8-pool-size=1'

/** A forwarder that listens. */
export interface Forwarder {
  /** The port of its proxy. */
  readonly port: number
  /** Its pid as seen outside. */
  readonly pid: number
  /** How many threads it has, which the kernel counts as processes of the run's user. */
  readonly threads: number
}

/** Returns the arguments of bubblewrap that show Node and the forwarder to a run. */
export function showForwarder(forwarder: string): string[] {
  return ['--ro-bind', process.execPath, NODE, '--ro-bind', forwarder, insideName(forwarder)]
}

/** Node tells modules from scripts by the ending. */
function insideName(forwarder: string): string {
  return `${FORWARDER}${extname(forwarder) === '.ts' ? '.mts' : '.mjs'}`
}

/** The sandbox to start a forwarder in. */
interface Place {
  readonly bwrap: BwrapProcess
  readonly carried: CarriedNetwork
  /** The first process inside, as seen outside. */
  readonly first: number
  /** The path of the forwarder outside. */
  readonly forwarder: string
}

/** Starts the forwarder of a sandbox, before anything of the command runs and before its control group counts; resolves to undefined where it could not be started. The shell closes its end of the socket pair, so that the forwarder alone has one. */
export async function startForwarder({ bwrap, carried, first, forwarder }: Place): Promise<Forwarder | undefined> {
  const program = `UV_THREADPOOL_SIZE=1 ${NODE} ${SMALL} ${insideName(forwarder)} ${PIPES.network}`
  // A subshell starts it, so that it is no child of the command, which may wait for all of its children.
  bwrap.write(`(${program} </dev/null >/dev/null 2>&1 3>&- 4<&- 5<&- &)\nexec ${PIPES.network}>&-\n`)
  const report = await carried.begun
  const pid = childrenOf(first).find((child) => report !== undefined && innerPidOf(child) === report.pid)
  if (report === undefined || pid === undefined) return undefined
  return { port: report.port, pid, threads: Number(statusOf(pid, 'Threads')) || 0 }
}

/** A pid as its own namespace counts: the last of those that the kernel lists. */
function innerPidOf(pid: number): number {
  return Number(statusOf(pid, 'NSpid').split(/\s+/).at(-1))
}

function statusOf(pid: number, key: string): string {
  return new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(readProcess(pid, 'status'))?.[1] ?? ''
}

/** Variables that programs find their proxy by. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
const EXCEPTIONS = 'localhost,127.0.0.1,::1'

/** Returns the variables that tell programs of the proxy. */
export function proxyVariables({ port }: Forwarder): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(PROXIES.map((name) => [name, `http://127.0.0.1:${port}`])),
    ...{ NO_PROXY: EXCEPTIONS, no_proxy: EXCEPTIONS, NODE_USE_ENV_PROXY: '1' },
  }
}
