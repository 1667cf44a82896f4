import type { HostOptions } from '../app/create-host.ts'
import type { Host } from '../app/host.ts'
import { hostOptionsOf } from './host-options.ts'
import { reportProblem } from './output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from './terminal/front-end.ts'

interface LogWork extends Pick<CommonOptions, 'json'> {
  /** The host options; those of a command that makes no calls and looks at no tools if left out. */
  readonly host?: HostOptions
  work(host: Host): number | Promise<number>
}

/** Runs work that reads the log, in a host of its own. Fails if the log cannot be opened, because that is different from an empty log; the host has already reported the problem. Resolves to the exit code. */
export async function withLog(cli: Cli, { host: made, json, work }: LogWork): Promise<number> {
  const host = await cli.createHost(made ?? { ...hostOptionsOf(cli, {}), toolFolders: false })
  try {
    const text = host.log.problem()
    if (text === undefined) return await work(host)
    return json ? reportProblem(cli, { json }, { code: 'UNAVAILABLE', text }) : EXIT.failed
  } finally {
    await host.close()
  }
}
