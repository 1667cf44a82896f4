import type { Home } from '../../app/home.ts'
import { hostOptionsOf } from '../host-options.ts'
import { reportProblem } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT } from '../terminal/front-end.ts'

/** Runs work that reads the log of a home. Fails if the log cannot be opened, because that is different from an empty log. Resolves to the exit code. */
export async function withHome(
  cli: Cli,
  options: CommonOptions,
  work: (home: Home) => Promise<number>,
): Promise<number> {
  const { workspace: _, ...given } = hostOptionsOf(cli, options)
  const home = await cli.openHome(given)
  try {
    const text = home.log.problem()
    if (text === undefined) return await work(home)
    return options.json ? reportProblem(cli, options, { code: 'UNAVAILABLE', text }) : EXIT.failed
  } finally {
    await home.close()
  }
}
