import type { SuiteTask } from '../../app/suite/suite.ts'
import type { Event } from '../../core/session/event.ts'
import { mainArgument } from '../../core/terminal/call-facts.ts'
import { cutToWidth } from '../../core/terminal/text-width.ts'
import { createTotals, type RunTotals } from '../run/run-totals.ts'
import { createSpinner } from '../terminal/spinner.ts'

/** The line below the table that says which task runs and what it does now. */
export interface SuiteView {
  start(task: SuiteTask, model: string): void
  add(event: Event): void
  stop(): void
}

/** Makes the line for so many runs of tasks. Shows nothing without a terminal. */
export function createSuiteView(runs: number): SuiteView {
  const spinner = createSpinner()
  let run = 0
  let totals: RunTotals = createTotals(() => false)
  let doing = ''
  return {
    start({ name }, model) {
      run++
      totals = createTotals(() => false)
      doing = 'checking that verify fails before'
      spinner.start(() => [`${run} of ${runs}`, name, model, totals.describe(), doing].join(' · '))
    },
    add(event) {
      totals.add(event)
      if (event.type === 'run-start' || event.type === 'message') doing = 'waiting for the model'
      else if (event.type === 'call-start')
        doing = `${event.name} ${cutToWidth(mainArgument(event.arguments), 40)}`.trim()
      else if (event.type === 'run-end') doing = 'verifying'
    },
    stop: () => spinner.stop(),
  }
}
