import type { TaskReport } from '../../app/suite/suite.ts'
import { printable, printableLine } from '../../core/text/printable.ts'
import { describeTotal, numbersOf, sumReports } from './suite-rows.ts'

/** What a report is about. */
export interface ReportParts {
  readonly suite: string
  readonly models: readonly string[]
  readonly reports: readonly TaskReport[]
  /** When the suite was run. */
  readonly at: Date
}

/** Returns the report of a suite as Markdown: for each model a table and what failed. */
export function suiteMarkdown({ suite, models, reports, at }: ReportParts): string {
  const day = at.toISOString().slice(0, 16).replace('T', ' ')
  const parts = models.map((model) =>
    ofModel(
      model,
      reports.filter((report) => report.model === model),
    ),
  )
  return [`# ${cell(suite)}`, '', `Run on ${day} UTC with ${models.map(cell).join(' and ')}.`, ...parts, ''].join('\n')
}

function ofModel(model: string, reports: readonly TaskReport[]): string {
  const total = sumReports(reports)
  const rows = reports.map((report) => row([report.task, report.state, ...numbersOf(report)]))
  const failed = reports.filter(({ state }) => state !== 'passed')
  return [
    ...['', `## ${cell(model)}`, ''],
    row(['task', 'result', 'steps', 'repairs', 'tokens', 'seconds']),
    '| :-- | :-- | --: | --: | --: | --: |',
    ...rows,
    row(['**total**', `**${describeTotal(total)}**`, ...numbersOf(total)]),
    ...(total.isEstimated ? ['', 'Tokens with ~ are estimates: the server did not report them.'] : []),
    ...failed.flatMap(problemLines),
  ].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

/** Text from elsewhere, so that it stays within its cell. */
function cell(text: string): string {
  return printableLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('`', "'")
}

function problemLines({ task, state, reason, output, session }: TaskReport): string[] {
  const told = `- **${cell(task)}** ${state === 'failed' ? 'failed' : 'was not run'}: ${cell(reason)}`
  const where = session === undefined ? '' : ` (session ${cell(session)})`
  return ['', `${told}${where}`, ...(output ? ['', ...fenced(output)] : [])]
}

/** Indented code: nothing in it can end it. */
function fenced(text: string): string[] {
  return printable(text)
    .split('\n')
    .map((line) => `      ${line}`)
}
