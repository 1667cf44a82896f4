import {
  type IterationView,
  type JobView,
  type PlanState,
  type PlanView,
  triesOf,
  workedOn,
} from '../../core/plans/plan-view.ts'
import { showTime } from '../../core/plans/show-time.ts'
import type { Style } from '../../core/terminal/style.ts'
import { cutToWidth, hangText, widthOf, wrapWords } from '../../core/terminal/text-width.ts'
import { printableLine } from '../../core/text/printable.ts'

/** How lines are shown. */
export interface PlanLook {
  paint(style: Style, text: string): string
  readonly columns: number
  readonly now: number
  /** What the job under way does now. */
  readonly doing?: string
}

export const SIGNS: Readonly<Record<PlanState, readonly [sign: string, style: Style]>> = {
  pending: ['·', 'dim'],
  running: ['⚙', 'cyan'],
  paused: ['‖', 'yellow'],
  completed: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['»', 'dim'],
  cancelled: ['⊘', 'dim'],
}

/** The least width for what a job does, beside its columns. */
const LEAST = 16
const GAP = '  '

/** One row a job: state, iterations, time, and what it does now or how it ended. In a narrow terminal the last goes below. */
export function jobLines({ jobs }: Pick<PlanView, 'jobs'>, look: PlanLook): string[] {
  const { paint, columns } = look
  const rows = jobs.map((job) => ({ job, cells: cellsOf(job, look.now) }))
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map(({ cells }) => widthOf(cells[column] ?? ''))))
  const wide = 2 + widths.reduce((sum, width) => sum + width + GAP.length, 0)
  return rows.flatMap(({ job, cells }) => {
    const [sign, style] = SIGNS[job.state]
    const [id = '', state = '', tries = '', time = ''] = cells
    const pad = (text: string, column: number) => text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)))
    const isNarrow = columns - wide < LEAST
    const head = [
      `${paint(style, sign)} ${paint('bold', isNarrow ? id : pad(id, 0))}`,
      paint(style, isNarrow ? state : pad(state, 1)),
      paint('dim', isNarrow ? tries : pad(tries, 2)),
      paint('dim', isNarrow ? time : pad(time, 3)),
    ]
    const text = job.state === 'running' ? (look.doing ?? '') : (job.text ?? waitsFor(job, jobs))
    if (!isNarrow) {
      const rest = cutToWidth(printableLine(text), Math.min(columns - wide, 100))
      return [`${head.join(GAP)}${GAP}${paint('dim', rest)}`.trimEnd()]
    }
    const first = head.filter((cell) => cell !== '' && cell !== paint('dim', '')).join(GAP)
    return [first, ...(text === '' ? [] : [`  ${paint('dim', cutToWidth(printableLine(text), columns - 2))}`])]
  })
}

function cellsOf(job: JobView, now: number): readonly string[] {
  const { id, state, iterations, maxIterations } = job
  const tries = triesOf(job).length
  const counted = iterations.length === 0 ? '' : `${Math.max(tries, 1)}/${maxIterations}`
  return [printableLine(id), state, counted, iterations.length === 0 ? '' : showTime(workedOn(iterations, now))]
}

function waitsFor({ state, dependsOn = [] }: JobView, jobs: readonly JobView[]): string {
  if (state !== 'pending') return ''
  const open = jobs.filter((job) => dependsOn.includes(job.id) && !['completed', 'skipped'].includes(job.state))
  return open.length === 0 ? '' : `waits for ${open.map(({ id }) => id).join(', ')}`
}

/** The goal, and where the plan stands. */
export function headLines(view: PlanView, { paint, columns }: PlanLook): string[] {
  const facts = [view.source?.path, view.model, `mode ${view.mode}`, view.id].filter((fact) => fact !== undefined)
  return [
    ...wrapWords(paint('bold', printableLine(view.goal)), columns),
    ...wrapWords(paint('dim', printableLine(facts.join(' · '))), columns),
    ...(view.warnings ?? []).flatMap((warning) =>
      hangText(`${paint('yellow', '!')} `, paint('reset', warning), columns),
    ),
  ]
}

/** How a plan rests, and what a person can do then. */
export function restLines(view: PlanView, { paint, columns }: PlanLook): string[] {
  const { state, pause, text = '', id } = view
  const [sign, style] = SIGNS[state]
  const words = pause ? pause.text : text
  const hints = pause ? pauseHints(view) : []
  const jobs = view.jobs.filter((job) => job.id === pause?.job)
  const output = pause?.reason === 'failed' ? jobs.flatMap(({ iterations }) => outputLines(iterations.at(-1))) : []
  return [
    ...hangText(`${paint(style, sign)} `, paint('reset', `${capital(state)}. ${words}`), columns),
    ...output.map((line) => `  ${paint('dim', cutToWidth(line, columns - 2))}`),
    ...(state === 'failed' ? [`haft plan resume ${id}`] : hints).flatMap((hint) =>
      hangText('  ', paint('dim', hint), columns),
    ),
  ]
}

function pauseHints({ id, pause }: PlanView): string[] {
  const job = pause?.job ?? ''
  if (pause?.reason === 'failed')
    return [
      `haft plan feedback ${id} ${job} "what to do differently"`,
      `haft plan retry ${id} ${job}`,
      `haft plan skip ${id} ${job}`,
    ]
  return [`haft plan resume ${id}`]
}

/** The last rows of what a check printed. */
const SHOWN = 8

function outputLines(last: IterationView | undefined): string[] {
  if (last?.output === undefined || last.output === '') return []
  return last.output.split('\n').slice(-SHOWN).map(printableLine)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
