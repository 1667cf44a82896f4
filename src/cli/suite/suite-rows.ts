import type { SuiteTask, TaskReport } from '../../app/suite/suite.ts'
import { count } from '../../core/terminal/call-facts.ts'
import type { Style } from '../../core/terminal/style.ts'
import { hangText, widthOf, wrapWords } from '../../core/terminal/text-width.ts'
import { printable } from '../../core/text/printable.ts'
import { columnsOf, paint } from '../terminal/front-end.ts'
import { type Cell, tableLines } from '../terminal/table.ts'

/** The sums of some reports. */
export interface SuiteTotal
  extends Pick<TaskReport, 'steps' | 'repairs' | 'tokens' | 'isEstimated' | 'cost' | 'seconds'> {
  readonly passed: number
  readonly failed: number
  readonly notRun: number
}

/** Adds up reports. */
export function sumReports(reports: readonly TaskReport[]): SuiteTotal {
  const countOf = (state: TaskReport['state']) => reports.filter((report) => report.state === state).length
  const sum = (key: 'steps' | 'repairs' | 'tokens' | 'cost' | 'seconds') =>
    reports.reduce((total, report) => total + report[key], 0)
  return {
    ...{ passed: countOf('passed'), failed: countOf('failed'), notRun: countOf('not run') },
    ...{ steps: sum('steps'), repairs: sum('repairs'), tokens: sum('tokens') },
    ...{ cost: sum('cost'), seconds: sum('seconds'), isEstimated: reports.some(({ isEstimated }) => isEstimated) },
  }
}

/** `16 of 17 passed, 1 not run` */
export function describeTotal({ passed, failed, notRun }: SuiteTotal): string {
  return `${passed} of ${passed + failed} passed${notRun > 0 ? `, ${notRun} not run` : ''}`
}

export const SIGNS: Readonly<Record<TaskReport['state'], readonly [sign: string, style: Style]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  'not run': ['–', 'dim'],
}

/** The widths of the columns of numbers, their headings included. */
const NUMBERS = [
  ['steps', 5],
  ['repairs', 7],
  ['tokens', 9],
  ['seconds', 7],
] as const
const GAP = '  '

/** Lays out the rows of a table that grows while tasks end. */
export interface SuiteRows {
  /** The headings; none where the terminal is too narrow for columns. */
  head(): string[]
  row(report: TaskReport): string[]
  total(total: SuiteTotal): string[]
}

/** Makes the layout for these tasks and models. In a narrow terminal numbers go below the name. */
export function layOutRows(tasks: readonly SuiteTask[], models: readonly string[]): SuiteRows {
  const columns = columnsOf(process.stdout)
  const first = Math.max(...tasks.map(({ name }) => name.length), 'total'.length)
  const second = models.length > 1 ? Math.max(...models.map((model) => widthOf(printable(model)))) : 0
  const wide =
    2 + first + (second > 0 ? second + GAP.length : 0) + NUMBERS.reduce((sum, [, width]) => sum + GAP.length + width, 0)
  const isNarrow = columns < wide
  const line = (sign: string, words: readonly string[], numbers: readonly string[]): string[] => {
    const [name = '', model = ''] = words
    if (isNarrow) {
      const facts = NUMBERS.map(([heading], index) => `${numbers[index]} ${heading}`).join(' · ')
      const head = second > 0 && model !== '' ? `${name} ${paint('dim', model)}` : name
      return [...hangText(`${sign} `, head, columns), ...hangText('  ', paint('dim', facts), columns)]
    }
    const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))
    const cells = [pad(name, first), ...(second > 0 ? [pad(model, second)] : [])]
    const figures = NUMBERS.map(([, width], index) => paint('dim', (numbers[index] ?? '').padStart(width)))
    return [`${sign} ${[...cells, ...figures].join(GAP)}`.trimEnd()]
  }
  return {
    head: () =>
      isNarrow
        ? []
        : line(
            ' ',
            [paint('dim', 'task'), paint('dim', 'model')],
            NUMBERS.map(([heading]) => heading),
          ),
    row(report) {
      const { task, model, state } = report
      const [sign, style] = SIGNS[state]
      const numbers = state === 'not run' && report.session === undefined ? ['', '', '', ''] : numbersOf(report)
      const words = [paint('reset', task), paint('reset', model)]
      const isBare = isNarrow && numbers[0] === ''
      const rows = isBare ? [`${paint(style, sign)} ${words[0]}`] : line(paint(style, sign), words, numbers)
      return [...rows, ...reasonLines(report, columns)]
    },
    total: (total) => [
      ...line(' ', [paint('dim', 'total')], numbersOf(total)),
      ...wrapWords(paint(total.failed > 0 ? 'red' : 'green', describeTotal(total)), columns),
    ],
  }
}

type Figures = Pick<SuiteTotal, 'steps' | 'repairs' | 'tokens' | 'isEstimated' | 'seconds'>

/** The figures of a row, in the order of the columns. */
export function numbersOf({ steps, repairs, tokens, isEstimated, seconds }: Figures): string[] {
  const number = (value: number) => value.toLocaleString('en-US')
  return [number(steps), number(repairs), `${isEstimated ? '~' : ''}${number(tokens)}`, seconds.toFixed(1)]
}

/** The most rows of a verify command's output. */
const SHOWN = 4

function reasonLines({ state, reason, output = '', session, workspace }: TaskReport, columns: number): string[] {
  if (state === 'passed' && workspace === undefined) return []
  const style = state === 'failed' ? 'red' : 'dim'
  const words = state === 'not run' ? `not run: ${reason}` : reason
  const last = output.split('\n').slice(-SHOWN)
  const look = [
    ...(state !== 'passed' && session !== undefined ? [`haft sessions ${session}`] : []),
    ...(workspace === undefined ? [] : [`kept in ${workspace}`]),
  ]
  return [
    ...(words === '' ? [] : hangText('    ', paint(style, words), columns)),
    ...(output === '' ? [] : last.flatMap((line) => hangText('    ', paint('dim', line), columns))),
    ...look.flatMap((text) => hangText('    ', paint('dim', text), columns)),
  ]
}

/** Lists tasks: the name, and the start of the prompt. */
export function listTasks(tasks: readonly SuiteTask[]): string[] {
  const rows = tasks.map(({ name, prompt }): Cell[] => [
    { text: name, style: 'bold' },
    { text: prompt.replace(/\s+/g, ' ').trim(), style: 'dim' },
  ])
  return tableLines(rows, { last: 'cut' })
}

/** `3 tasks with demo` */
export function describeSuite(tasks: number, models: readonly string[]): string[] {
  return wrapWords(
    paint('dim', `${count(tasks, 'task', 'tasks')} with ${models.join(' and ')}`),
    columnsOf(process.stdout),
  )
}
