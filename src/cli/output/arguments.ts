import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { reasonOf } from '../../core/call/result.ts'
import { type Cli, paintError } from '../terminal/front-end.ts'
import { wrapFor } from './report-problem.ts'

/** How arguments are given on the command line. */
export const ARGUMENTS_HELP = `Arguments are JSON, such as '{"path":"plan.md"}'. @FILE reads them from a file, - from standard input.`

/** Returns the arguments of a call as the command line gives them: undefined, JSON text, with `@FILE` the text of a file, or with `-` all of stdin. */
export async function readArguments(given: string | undefined): Promise<string | undefined> {
  if (given === '-') return text(process.stdin)
  if (!given?.startsWith('@')) return given
  try {
    return await readFile(given.slice(1), 'utf8')
  } catch (thrown) {
    throw new Error(`The arguments were not read from ${given.slice(1)}: ${reasonOf(thrown)}. Nothing was run.`)
  }
}

/** After a call whose arguments were refused: says how they are given, unless the person has written an object. */
export function explainArguments(cli: Cli, given: string | undefined): void {
  if (given?.includes('{') || given === '-' || given?.startsWith('@')) return
  cli.printError(paintError('reset', wrapFor(process.stderr, ARGUMENTS_HELP).join('\n')))
}
