import type { Result } from '../../core/call/result.ts'
import { type Cli, paint } from '../terminal/front-end.ts'
import { tellFailure } from './report-problem.ts'
import { showResult } from './show-result.ts'

/** Shows a person how a call ended: its text on stdout; of a failure the code and text on stderr, and on stdout what the tool had printed until then. */
export function sayResult(cli: Cli, result: Result): void {
  if (result.ok) {
    if (result.text !== '') cli.say(showResult(result))
    return
  }
  const partial = result.details?.partial
  if (typeof partial === 'string' && partial.trim() !== '') cli.say(paint('reset', partial.trimEnd()))
  tellFailure(cli, result)
}
