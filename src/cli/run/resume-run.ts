import type { Home } from '../../app/home.ts'
import { messageOf } from '../../core/call/result.ts'
import { isCutOff } from '../../core/session/is-cut-off.ts'
import { wrapFor } from '../output/report-problem.ts'
import { type Cli, type CommonOptions, EXIT, paintError } from '../terminal/front-end.ts'
import { listenForInterrupt } from '../terminal/interrupt.ts'
import { showRun } from './show-run.ts'

/** Goes on, in this terminal, with the run of a session whose process has died, once what it waited for was answered. Resolves to the exit code of the run; to undefined where there is none, or it waits for something else. */
export async function resumeRun(
  cli: Cli,
  home: Home,
  { session: id, options }: { readonly session: string; readonly options: CommonOptions },
): Promise<number | undefined> {
  if (!isCutOff(await home.log.read({ session: id }))) return undefined
  const interrupt = listenForInterrupt()
  try {
    return await showRun(cli, options, {
      ...{ home, interrupt },
      open: async (caller) => ({ session: await home.session(id, caller) }),
      async work(session) {
        const unfollow = home.on((event) => {
          if (event.type === 'run-start' && !options.json) cli.printError(paintError('dim', GOES_ON))
        })
        try {
          return await session.resume({ signal: interrupt.signal })
        } finally {
          unfollow()
        }
      },
    })
  } catch (thrown) {
    cli.printError(paintError('red', wrapFor(process.stderr, messageOf(thrown)).join('\n')))
    return interrupt.exitCode() ?? EXIT.failed
  } finally {
    interrupt.stop()
  }
}

const GOES_ON = 'The process of this run had ended; it goes on here.'
