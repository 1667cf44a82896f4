import { agentsOfPlan, isWithin } from '../../core/plans/agent-ids.ts'
import { drawPlan } from '../../core/plans/draw-plan.ts'
import type { PlanView } from '../../core/plans/plan-view.ts'
import { warningsOf } from '../../core/plans/plan-warnings.ts'
import type { Event } from '../../core/session/event.ts'
import { mainArgument } from '../../core/terminal/call-facts.ts'
import { columnsOf, paintError } from '../terminal/front-end.ts'
import { headLines, jobLines, SIGNS } from './plan-lines.ts'

/** A plan as it is shown on stderr while it works. */
export interface PlanScreen {
  /** Takes in one more event of the plan or of a sub-agent. */
  add(event: Event): void
  /** Removes the table while the person is asked at this terminal. */
  hold(): void
  /** Draws it again, below what was asked. */
  release(): void
  /** Leaves the table as it is now, so that other text can follow. */
  stop(): void
}

/** How often the table is drawn anew, in milliseconds. */
const EVERY = 200

/** Makes the screen: in a terminal a table that is drawn in place, else a line for each thing that happens. */
export function createPlanScreen(plan: string): PlanScreen {
  const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb'
  return isTerminal ? new Table(plan) : new Lines(plan)
}

/** What a sub-agent or the runner does now. */
class Doing {
  text = ''
  readonly #agents: string

  constructor(plan: string) {
    this.#agents = agentsOfPlan(plan)
  }

  add(event: Event): void {
    if (event.type === 'job-check') this.text = 'checking'
    else if (!isWithin(event.session, this.#agents)) return
    else if (event.type === 'run-start' || event.type === 'call-end') this.text = 'waiting for the model'
    else if (event.type === 'call-start') this.text = `${event.name} ${mainArgument(event.arguments)}`.trim()
    else if (event.type === 'approval-request') this.text = `waits for your approval: ${event.tool}`
  }
}

class Table implements PlanScreen {
  readonly #doing: Doing
  /** How many questions are on the screen. */
  #asked = 0
  readonly #timer: NodeJS.Timeout
  #view: PlanView | undefined
  #workspace: Event | undefined
  /** Rows of the table that are on the screen. */
  #rows = 0
  #hasHead = false

  constructor(plan: string) {
    this.#doing = new Doing(plan)
    this.#timer = setInterval(() => this.#draw(), EVERY)
  }

  add(event: Event): void {
    this.#doing.add(event)
    if (event.type === 'session-start') this.#workspace ??= event
    const before = this.#workspace && this.#view === undefined ? [this.#workspace] : []
    this.#view = drawPlan([...before, event], this.#view)
  }

  hold(): void {
    this.#asked++
    this.#erase()
  }

  release(): void {
    this.#asked--
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#draw()
    this.#rows = 0
  }

  #draw(): void {
    const view = this.#view
    if (view === undefined || this.#asked > 0) return
    const columns = columnsOf(process.stderr)
    const look = { paint: paintError, columns, now: Date.now(), doing: this.#doing.text }
    const head = this.#hasHead ? [] : headLines(view, look)
    const lines = fitRows(view, jobLines(view, look), (process.stderr.rows ?? 24) - 2)
    this.#erase()
    process.stderr.write([...head, ...lines].map((line) => `${line}\n`).join(''))
    this.#hasHead = true
    this.#rows = lines.length
  }

  #erase(): void {
    if (this.#rows > 0) process.stderr.write(`\u001b[${this.#rows}A\u001b[0J`)
    this.#rows = 0
  }
}

/** The rows that fit the terminal, around the job under way: what has scrolled away could not be drawn anew. */
function fitRows(view: PlanView, lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines
  const perJob = lines.length / view.jobs.length
  const current = view.jobs.findIndex(({ state }) => state === 'running' || state === 'failed')
  const middle = Math.floor((current < 0 ? view.jobs.length : current) * perJob)
  const from = Math.max(0, Math.min(lines.length - most + 1, middle - Math.floor(most / 2)))
  const shown = lines.slice(from, from + most - 1)
  return [...shown, paintError('dim', `  ${lines.length - shown.length} more rows: haft plan show ${view.id}`)]
}

/** Without a terminal: one line for each try that failed and each job that is done. */
class Lines implements PlanScreen {
  readonly #plan: string

  constructor(plan: string) {
    this.#plan = plan
  }

  add(event: Event): void {
    if (event.session !== this.#plan) return
    if (event.type === 'plan-start') {
      this.#write(`plan ${event.session}: ${event.plan.goal}`)
      for (const warning of warningsOf(event.plan, event.mode)) this.#write(`! ${warning}`)
    } else if (event.type === 'job-iteration' && !event.passed)
      this.#write(`${SIGNS.failed[0]} ${event.job}, try ${event.iteration}: ${event.text}`)
    else if (event.type === 'job-end' && event.state === 'completed')
      this.#write(`${SIGNS.completed[0]} ${event.job}: ${event.text}`)
  }

  #write(text: string): void {
    process.stderr.write(`${paintError('reset', text.split('\n')[0] ?? '')}\n`)
  }

  hold(): void {}

  release(): void {}

  stop(): void {}
}
