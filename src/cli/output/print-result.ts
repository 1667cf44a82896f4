import type { Result } from '../../core/call/result.ts'
import { type Cli, paint } from '../terminal/front-end.ts'
import { printFailure } from './report-problem.ts'
import { showResult } from './show-result.ts'

/** Prints the result of a call for a person: its text to stdout. For a failure prints code and text to stderr, and the output so far to stdout. */
export function printResult(cli: Cli, result: Result): void {
  if (result.ok) {
    if (result.text !== '') cli.print(showResult(result))
    return
  }
  const partial = result.details?.partial
  if (typeof partial === 'string' && partial.trim() !== '') cli.print(paint('reset', partial.trimEnd()))
  printFailure(cli, result)
}
