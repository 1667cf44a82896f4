import type { ErrorCode } from '../../core/call/codes.ts'
import { printable } from '../../core/text/printable.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError } from '../terminal/front-end.ts'
import { wrapWords } from '../terminal/text-width.ts'

/** Why something did not happen. */
interface Problem {
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Says on stderr why a call failed: its code, then the text. */
export function tellFailure(cli: Cli, { code, text }: Problem): void {
  const [first = '', ...rest] = wrapFor(process.stderr, `${code} ${text}`)
  const head = `${paintError(['red', 'bold'], code)}${paintError('reset', first.slice(code.length))}`
  cli.tell([head, ...rest.map((row) => paintError('reset', row))].join('\n'))
}

/** Ends a command that found no such thing: in JSON on stdout where that was asked for, else in words on stderr. Returns the exit code. */
export function refuse(cli: Cli, { json }: CommonOptions, problem: Problem): number {
  if (json) cli.write(`${JSON.stringify({ ok: false, ...problem })}\n`)
  else cli.tell(paintError('red', wrapFor(process.stderr, problem.text).join('\n')))
  return EXIT.failed
}

/** Says a text of ours on stdout, broken between words. */
export function sayProse(cli: Cli, text: string): void {
  cli.say(paint('reset', wrapFor(process.stdout, text).join('\n')))
}

/** The rows of a text that fit a stream's terminal. */
export function wrapFor(stream: NodeJS.WriteStream, text: string): string[] {
  return wrapWords(printable(text), columnsOf(stream))
}
