import type { HostOptions } from '../app/create-host.ts'
import type { Host } from '../app/host.ts'
import { hostOptionsOf } from './host-options.ts'
import { refuse } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from './terminal/front-end.ts'

interface LogWish extends Pick<CommonOptions, 'json'> {
  /** What the host is made of; that of a command which only looks when left out. */
  readonly host?: HostOptions
  work(host: Host): number | Promise<number>
}

/** Does what needs to know what the log holds, in a host of its own. A log that cannot be opened is not an empty one: the command fails, and the host has said why. Resolves to the exit code. */
export async function withLog(cli: Cli, { host: made, json, work }: LogWish): Promise<number> {
  const host = await cli.createHost(made ?? hostOptionsOf(cli, {}))
  try {
    const text = host.log.problem()
    if (text === undefined) return await work(host)
    return json ? refuse(cli, { json }, { code: 'UNAVAILABLE', text }) : EXIT.failed
  } finally {
    await host.close()
  }
}
