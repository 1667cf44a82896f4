import { JOB_HEADING } from '../../../core/plans/job-heading.ts'
import { type IterationView, type JobView, type PlanView, triesOf } from '../../../core/plans/plan-view.ts'

/** The longest result of another job that a sub-agent is told, in characters. */
const MAX_RESULT = 4_000

/** Writes what a sub-agent is told: the goal, its job, the results of the jobs before, what the last check found, what the person says. */
export function writeJobPrompt(view: PlanView, job: JobView, options: { readonly isContinued?: boolean } = {}): string {
  const last = triesOf(job).findLast(({ outcome }) => outcome === 'failed')
  return [
    options.isContinued ? CONTINUED : INTRODUCTION,
    ...(job.check === undefined ? [] : [checkNote(job.check)]),
    section('Goal of the plan', view.goal),
    section(`${JOB_HEADING}: ${job.id}`, job.prompt),
    ...(job.files
      ? [section('The only files that you may change', job.files.map((file) => `- ${file}`).join('\n'))]
      : []),
    ...resultsBefore(view, job),
    ...(last ? [section('What came of the last try', describeTry(last, job.check))] : []),
    ...(job.feedback === undefined ? [] : [section('What the person says', job.feedback)]),
  ].join('\n\n')
}

const INTRODUCTION =
  'You do one job of a plan; other agents do the others. Do this job and nothing else. When it is done, call task_complete with a short report of what you did: agents of later jobs are told your report.'

const CONTINUED =
  'You were interrupted. Look at what is done already, do the rest of the job, and do nothing twice. When it is done, call task_complete with a short report.'

function checkNote(check: string): string {
  return `Afterwards this command decides whether the job is done, whatever you report: \`${check}\``
}

function section(title: string, text: string): string {
  return `## ${title}\n${text.trim()}`
}

function resultsBefore({ jobs }: PlanView, { dependsOn = [] }: JobView): string[] {
  return jobs
    .filter(({ id }) => dependsOn.includes(id))
    .map((before) => section(`Result of the job ${before.id}`, resultOf(before)))
}

/** What a job reported. */
export function resultOf({ state, iterations, text }: JobView): string {
  if (state === 'skipped') return 'It was skipped by the person and is not done.'
  const summary = iterations.findLast(({ outcome }) => outcome === 'passed')?.summary ?? text ?? 'It is done.'
  return summary.length <= MAX_RESULT ? summary : `${summary.slice(0, MAX_RESULT)}\n[cut]`
}

function describeTry({ text = '', output = '', summary }: IterationView, check: string | undefined): string {
  const said = summary === undefined ? '' : `The agent before you reported: ${summary.slice(0, MAX_RESULT)}\n`
  const found = check === undefined || output === '' ? '' : `\n\`\`\`\n$ ${check}\n${output}\n\`\`\``
  return `${said}Yet the job is not done: ${text}.${found}`
}
