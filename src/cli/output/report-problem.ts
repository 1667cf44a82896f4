import type { ErrorCode } from '../../core/call/codes.ts'
import { wrapWords } from '../../core/terminal/text-width.ts'
import { printable } from '../../core/text/printable.ts'
import { type Cli, type CommonOptions, columnsOf, EXIT, paint, paintError } from '../terminal/front-end.ts'

/** The reason why something did not happen. */
interface Problem {
  readonly code: ErrorCode
  readonly text: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Prints the code and the text of a failure to stderr. A text that begins with the word of the code is not printed with that word twice. */
export function printFailure(cli: Cli, { code, text }: Problem): void {
  const isRepeated = text.slice(0, code.length).toUpperCase() === code
  const [first = '', ...rest] = wrapFor(
    process.stderr,
    isRepeated ? `${code}${text.slice(code.length)}` : `${code} ${text}`,
  )
  const head = `${paintError(['red', 'bold'], code)}${paintError('reset', first.slice(code.length))}`
  cli.printError([head, ...rest.map((row) => paintError('reset', row))].join('\n'))
}

/** Reports a problem that ends a command: as JSON on stdout with --json, else as text on stderr. Returns the exit code. */
export function reportProblem(cli: Cli, { json }: CommonOptions, problem: Problem): number {
  if (json) cli.writeJson({ ok: false, ...problem })
  else cli.printError(paintError('red', wrapFor(process.stderr, problem.text).join('\n')))
  return EXIT.failed
}

/** Prints text to stdout, wrapped between words. */
export function printProse(cli: Cli, text: string): void {
  cli.print(paint('reset', wrapFor(process.stdout, text).join('\n')))
}

/** Wraps text to the width of the terminal of a stream. */
export function wrapFor(stream: NodeJS.WriteStream, text: string): string[] {
  return wrapWords(printable(text), columnsOf(stream))
}
