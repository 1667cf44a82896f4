import { extname } from 'node:path'
import type { RunLimits, RunNetwork } from '../../core/ports/sandbox.ts'
import { PIPES } from '../bubblewrap/bwrap-process.ts'

/** Where Node and the forwarder are inside the sandbox. */
const NODE = '/run/haft/node'
const FORWARDER = '/run/haft/forwarder'

/** What the forwarder may use beyond the limits of its run, so that it counts against none of them. */
const MEMORY = 256 * 1024 ** 2
const PROCESSES = 32

/** Returns the arguments of bubblewrap that show Node and the forwarder to a run. */
export function showForwarder(forwarder: string): string[] {
  return ['--ro-bind', process.execPath, NODE, '--ro-bind', forwarder, insideName(forwarder)]
}

/** Node tells modules from scripts by the ending. */
function insideName(forwarder: string): string {
  return `${FORWARDER}${extname(forwarder) === '.ts' ? '.mts' : '.mjs'}`
}

/** Variables that programs find their proxy by. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
const EXCEPTIONS = 'localhost,127.0.0.1,::1'

/** Returns the lines of a shell that start the forwarder, wait until it listens, and tell programs of it. They come before the limits of the run. */
export function startForwarder({ local }: RunNetwork): readonly string[] {
  const addresses = local.map(({ host, port }) => `'${host}:${port}'`).join(' ')
  const socket = PIPES.network
  return [
    `for f in ${FORWARDER}.m?s; do :; done`,
    `proxy=$(${NODE} "$f" ${socket} ${addresses} </dev/null 2>/dev/null 3>&- 4<&- 5<&- &)`,
    `[ -n "$proxy" ] || { echo 'Haft could not start the network of this command.' >&2; exit 126; }`,
    ...PROXIES.map((name) => `export ${name}="http://127.0.0.1:$proxy"`),
    `export NO_PROXY='${EXCEPTIONS}' no_proxy='${EXCEPTIONS}' NODE_USE_ENV_PROXY=1`,
  ]
}

/** Adds what the forwarder uses to the limits of a run with a network. */
export function withForwarder(limits: RunLimits, network: RunNetwork | undefined): RunLimits {
  if (network === undefined) return limits
  return { ...limits, memory: limits.memory + MEMORY, processes: limits.processes + PROCESSES }
}
