import type { Home } from '../home.ts'
import { runTask } from './run-task.ts'
import type { Suite, SuiteTask, TaskReport } from './suite.ts'
import { isRecordings } from './task-model.ts'
import type { TaskOptions } from './task-options.ts'

/** How a suite is run. */
export interface SuiteOptions extends Omit<TaskOptions, 'model'> {
  /** Each task is run with each of them, one after another. */
  readonly models: readonly string[]
  /** Called before a task is run with a model, and after it. */
  onStart?(task: SuiteTask, model: string): void
  onEnd?(report: TaskReport): void
}

/** Runs the tasks of a suite one after another, each in a home of its own on the same folder. Once the signal aborts, the rest is reported as not run. Rejects with ModelError where a model cannot be opened. */
export async function runSuite(
  { tasks }: Suite,
  openHome: () => Promise<Home>,
  options: SuiteOptions,
): Promise<readonly TaskReport[]> {
  await checkModels(options.models, openHome)
  const reports: TaskReport[] = []
  for (const task of tasks)
    for (const model of options.models) {
      if (options.signal.aborted) reports.push(notRun(task, model))
      else {
        options.onStart?.(task, model)
        const report = await runTask(task, openHome, { ...options, model })
        options.onEnd?.(report)
        reports.push(report)
      }
    }
  return reports
}

async function checkModels(models: readonly string[], openHome: () => Promise<Home>): Promise<void> {
  const home = await openHome()
  try {
    for (const model of models) if (!isRecordings(model)) await home.models.open(model)
  } finally {
    await home.close()
  }
}

function notRun({ name: task }: SuiteTask, model: string): TaskReport {
  const nothing = { steps: 0, repairs: 0, tokens: 0, isEstimated: false, cost: 0, seconds: 0 }
  return { task, model, state: 'not run', reason: 'stopped', ...nothing }
}
