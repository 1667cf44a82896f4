import type { TaskReport } from '../../app/suite/suite.ts'
import { type Cell, tableLines } from '../terminal/table.ts'
import { describeTotal, numbersOf, SIGNS, sumReports } from './suite-rows.ts'

/** Returns a table with the tasks in rows and the models side by side, and a row of sums. */
export function compareLines(reports: readonly TaskReport[], models: readonly string[]): string[] {
  const tasks = [...new Set(reports.map(({ task }) => task))]
  const of = (model: string) => reports.filter((report) => report.model === model)
  const rows: Cell[][] = tasks.map((task) => [
    { text: task, style: 'reset' },
    ...models.flatMap((model) => cellsOf(of(model).find((report) => report.task === task))),
  ])
  const head: Cell[] = [
    { text: 'task', style: 'dim' },
    ...models.flatMap((model): Cell[] => [
      { text: model, style: 'dim' },
      { text: 'steps', style: 'dim', isRight: true },
      { text: 'tokens', style: 'dim', isRight: true },
      { text: 'seconds', style: 'dim', isRight: true },
    ]),
  ]
  const total: Cell[] = [
    { text: 'total', style: 'bold' },
    ...models.flatMap((model): Cell[] => {
      const sum = sumReports(of(model))
      return [{ text: describeTotal(sum), style: 'bold' }, ...figures(numbersOf(sum))]
    }),
  ]
  return tableLines([head, ...rows, total].map(withEnd), { last: 'cut' })
}

/** An empty last column, since the last one is not aligned to the right. */
function withEnd(row: readonly Cell[]): Cell[] {
  return [...row, { text: '', style: 'reset' }]
}

function cellsOf(report: TaskReport | undefined): Cell[] {
  if (report === undefined) return [{ text: '', style: 'reset' }, ...figures(['', '', '', ''])]
  const [sign, style] = SIGNS[report.state]
  const isRun = report.state !== 'not run' || report.session !== undefined
  return [{ text: `${sign} ${report.state}`, style }, ...figures(isRun ? numbersOf(report) : ['', '', '', ''])]
}

function figures([steps = '', , tokens = '', seconds = '']: readonly string[]): Cell[] {
  return [steps, tokens, seconds].map((text) => ({ text, style: 'dim', isRight: true }))
}
