import type { Session } from '../../app/sessions/session.ts'
import { flowLines } from '../../core/terminal/flow-text.ts'
import { hangText } from '../../core/terminal/text-width.ts'
import { type Cli, columnsOf, EXIT, paintError } from '../terminal/front-end.ts'
import type { RunTotals } from './run-totals.ts'

/** How a run ended. */
export type RunEnd = Awaited<ReturnType<Session['send']>>

/** What the end of a run is shown with. */
export interface EndOptions {
  readonly session: string
  readonly totals: RunTotals
  /** Prints the answer and problems only. */
  readonly quiet?: boolean
}

const WORDS: Readonly<Record<RunEnd['reason'], readonly [sign: string, word: string]>> = {
  complete: ['✓', 'Done'],
  reply: ['✓', 'Answered'],
  limit: ['!', 'Cut off'],
  loop: ['!', 'Stopped: the model repeats itself'],
  cancelled: ['⊘', 'Stopped'],
  failed: ['✗', 'Failed'],
}

/** Shows how a run ended: the answer on stdout, the rest on stderr. The answer is not printed to a terminal that has just shown it. */
export function showEnd(cli: Cli, { reason, summary = '' }: RunEnd, { session, totals, quiet }: EndOptions): void {
  const isAnswer = reason === 'complete' || reason === 'reply'
  const isSeen = reason === 'reply' && !quiet && process.stdout.isTTY && process.stderr.isTTY
  if (isAnswer && summary.trim() !== '' && !isSeen) {
    if (!quiet && process.stdout.isTTY && process.stderr.isTTY) cli.printError('')
    cli.print(flowAnswer(summary))
  }
  const [sign, word] = WORDS[reason]
  const style = isAnswer ? 'green' : reason === 'cancelled' ? 'yellow' : 'red'
  const columns = columnsOf(process.stderr)
  const line = (head: string, text: string) => cli.printError(hangText(head, text, columns).join('\n'))
  if (!isAnswer && summary !== '') line(`${paintError(style, sign)} `, paintError('reset', summary))
  if (!quiet) line(`${paintError(style, sign)} `, paintError('dim', `${word} · ${totals.describe()}`))
  const message = reason === 'limit' ? '' : ' "…"'
  if (!isAnswer) line('  ', paintError('dim', `Go on with: haft run --continue ${session}${message}`))
}

/** For a terminal the answer is wrapped; for a program it is as it came, so that it can be parsed. Control characters are escaped in both. */
function flowAnswer(text: string): string {
  const columns = process.stdout.isTTY ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY
  const rows = flowLines(text, columns)
  return rows.map((row) => (process.stdout.isTTY ? row : row.replace(/^ {2}/, ''))).join('\n')
}

/** Returns the exit code of a run: 0 where the model answered, also where a call on the way was blocked or denied, unless that is to count. */
export function exitCodeOf({ reason }: RunEnd, isRefused: boolean): number {
  if (reason === 'cancelled') return EXIT.interrupted
  if (reason === 'failed') return EXIT.failed
  if (reason === 'limit' || reason === 'loop') return EXIT.stopped
  return isRefused ? EXIT.refused : EXIT.ok
}
