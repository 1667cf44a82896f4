import type { Command, Help } from 'commander'
import { hangText, wrapWords } from '../core/terminal/text-width.ts'
import { tableLines } from './terminal/table.ts'

/** The indent of a description that is shown below its term. */
const BELOW = 6
/** The least width for a description beside its term. */
const LEAST = 24

/** Formats one item of the help: the term, and its description beside it, or below it if the terminal is narrow. */
export function formatItem(term: string, termWidth: number, description: string, { helpWidth = 80 }: Help): string {
  const beside = termWidth + 4
  const head = `  ${term}`
  const rows =
    helpWidth - beside < LEAST
      ? [head, ...hangText(' '.repeat(BELOW), description, helpWidth)]
      : hangText(head.padEnd(beside), description, helpWidth)
  return rows.join('\n')
}

/** A command line and what it does. */
export type Example = readonly [command: string, text: string]

const EXAMPLES: readonly Example[] = [
  ['haft run "read README.md"', 'give a model a task'],
  ['haft tools', 'list the tools'],
  [`haft call read_file '{"path":"README.md"}'`, 'run one call'],
  [`haft check shell '{"command":"git push"}'`, 'show what would happen'],
  ['haft approvals', 'list what waits for you'],
  ['haft log --since 1h --outcome BLOCKED', 'list what was blocked'],
  ['haft undo', 'undo the last change'],
]

/** Adds examples below the help of a command. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  return command.addHelpText('after', () => exampleLines(examples, widthOfHelp(command)).join('\n'))
}

/** Returns the text below the help of `haft`: examples, exit codes, and how to get more help. */
export function afterHelp(program: Command): string {
  const columns = widthOfHelp(program)
  const codes =
    'Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 blocked or denied (run: with --strict), 4 stopped by a limit or a loop, 130 interrupted.'
  const more = 'Run haft COMMAND --help for the options of a command.'
  return [...exampleLines(EXAMPLES, columns), ...wrapWords(codes, columns), ...wrapWords(more, columns), ''].join('\n')
}

function widthOfHelp(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? 80
}

function exampleLines(examples: readonly Example[], columns: number): string[] {
  const rows = examples.map(
    ([command, text]) =>
      [
        { style: 'reset', text: command },
        { style: 'reset', text },
      ] as const,
  )
  return ['', 'Examples:', ...tableLines(rows, { last: 'wrap', indent: 2, columns }), '']
}
