import type { Command, Help } from 'commander'
import { tableLines } from './terminal/table.ts'
import { hangText, wrapWords } from './terminal/text-width.ts'

/** How far explanations stand in that find no room beside what they explain. */
const BELOW = 6
/** The least room an explanation is given beside it. */
const LEAST = 24

/** A line of the help: what there is, and beside it, or below it where the terminal is narrow, what it is for. */
export function formatItem(term: string, termWidth: number, description: string, { helpWidth = 80 }: Help): string {
  const beside = termWidth + 4
  const head = `  ${term}`
  const rows =
    helpWidth - beside < LEAST
      ? [head, ...hangText(' '.repeat(BELOW), description, helpWidth)]
      : hangText(head.padEnd(beside), description, helpWidth)
  return rows.join('\n')
}

const EXAMPLES = [
  ['haft tools', 'what a model can call'],
  [`haft call task_complete '{"summary":"done"}'`, 'one call, through every room'],
  [`haft check task_complete '{"sumary":"done"}'`, 'what would happen to it, and why'],
  ['haft approvals', 'what waits for an answer'],
  ['haft log --since 1h --outcome BLOCKED', 'refusals of the last hour'],
  ['haft doctor', 'what holds on this machine'],
] as const

/** What stands below the help: examples, and what the exit codes mean. */
export function afterHelp(program: Command): string {
  const columns = program.configureOutput().getOutHelpWidth?.() ?? 80
  const rows = EXAMPLES.map(
    ([command, text]) =>
      [
        { style: 'reset', text: command },
        { style: 'reset', text },
      ] as const,
  )
  const codes = 'Exit codes: 0 ok, 1 failed, 2 usage, 3 blocked or denied, 130 interrupted.'
  return [
    '',
    'Examples:',
    ...tableLines(rows, { last: 'wrap', indent: 2, columns }),
    '',
    ...wrapWords(codes, columns),
    '',
  ].join('\n')
}
