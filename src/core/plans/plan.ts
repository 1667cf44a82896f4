import type { Mode } from '../session/mode.ts'

/** Limits of a job or of a whole plan. Time counts while a job runs, not while the plan is paused. */
export interface PlanLimits {
  /** Seconds. */
  readonly timeout?: number
  /** Replies of the model. */
  readonly maxSteps?: number
  readonly maxTokens?: number
}

/** One job of a plan, done by a sub-agent. */
export interface PlanJob extends PlanLimits {
  readonly id: string
  readonly prompt: string
  /** The only tools of its sub-agents; those of the plan when left out. */
  readonly tools?: readonly string[]
  /** Jobs that must have ended before; their results are told to the sub-agent. */
  readonly dependsOn?: readonly string[]
  /** The command that decides whether the job is done: exit code 0. The runner runs it, never the model. */
  readonly check?: string
  /** Seconds for the check. */
  readonly checkTimeout?: number
  /** Sub-agents that may try before the job counts as failed. */
  readonly maxIterations?: number
  /** Globs of the only files that its sub-agents may change; a folder stands for all that is in it. Any when left out. */
  readonly files?: readonly string[]
  /** True where the source says that it is done already: it is not run. */
  readonly isDone?: true
  /** The line of a Markdown source that is checked off, from 1. */
  readonly line?: number
}

/** A list of jobs with a goal. */
export interface Plan extends PlanLimits {
  readonly goal: string
  readonly model?: string
  /** Only ever makes the mode of whoever starts the plan stricter. */
  readonly mode?: Mode
  /** The only tools of all jobs that name none; those of the starter when left out. */
  readonly tools?: readonly string[]
  readonly mcpServers?: readonly string[]
  /** Pauses after each job, until a person goes on. */
  readonly manual?: boolean
  /** Checks off the line of a Markdown source when its job completes. */
  readonly checkOff?: boolean
  readonly jobs: readonly PlanJob[]
}

/** A plan that may start. */
export interface CheckedPlan {
  readonly plan: Plan
  /** The mode that its jobs would work in: the stricter of the starter's and the plan's. */
  readonly mode: Mode
  /** What it asks for and would not get. */
  readonly warnings: readonly string[]
}

/** What a job that says nothing else gets. */
export const JOB_DEFAULTS = { maxIterations: 5, timeout: 3_600, checkTimeout: 300 } as const

/** Something that is wrong with a plan. */
export interface PlanProblem {
  /** The member: `jobs.2.tools.0`. */
  readonly where: string
  readonly text: string
  /** Both from 1; absent where the plan came as data and not as a file. */
  readonly line?: number
  readonly column?: number
}

/** A plan that cannot be run, with everything that is wrong with it. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
  readonly problems: readonly PlanProblem[]

  constructor(problems: readonly PlanProblem[], file?: string) {
    super(problems.map((problem) => describeProblem(problem, file)).join('\n'))
    this.problems = problems
  }
}

/** `plan.yaml:4:12: smtp: there is no tool "raed_file"; did you mean read_file?` */
export function describeProblem({ text, line, column }: PlanProblem, file?: string): string {
  const place = line === undefined ? [] : [line, column ?? 1]
  const head = [...(file === undefined ? [] : [file]), ...place].join(':')
  return head === '' ? text : `${head}: ${text}`
}
