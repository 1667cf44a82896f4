import { answer } from '../core/call/result.ts'
import { isPlanText } from '../core/plans/is-plan-text.ts'
import type { Plan } from '../core/plans/plan.ts'
import { MODES } from '../core/session/mode.ts'
import { array, either, integer, objectSchema, oneOf, optional, string } from '../core/tool/schema.ts'
import { defineTool } from '../core/tool/tool.ts'

const names = (description: string) => array(string('A name', { maxLength: 300 }), description, { maxItems: 500 })

const job = objectSchema({
  id: string('Short name', { minLength: 1, maxLength: 64 }),
  prompt: string('Everything the sub-agent needs to know: it sees the goal and this', {
    minLength: 1,
    maxLength: 50_000,
  }),
  dependsOn: optional(names('Jobs that come before; it is told their reports')),
  check: optional(string('Command that ends with exit code 0 once the job is done', { maxLength: 10_000 })),
  tools: optional(names('Tools it may use')),
  maxIterations: optional(integer('Tries, default 5', { minimum: 1, maximum: 100 })),
  timeout: optional(integer('Seconds for all tries, default 3600', { minimum: 1, maximum: 604_800 })),
  files: optional(names('The only files it may change, as globs')),
})

const plan = objectSchema(
  {
    goal: string('What the jobs are for', { minLength: 1, maxLength: 10_000 }),
    jobs: array(job, 'Jobs, in order', { minItems: 1, maxItems: 500 }),
    tools: optional(names('Tools of jobs that name none')),
    mode: optional(oneOf(MODES, 'Only stricter than yours')),
  },
  'Jobs that sub-agents do one after another, each until its check passes',
)

export default defineTool({
  name: 'propose_plan',
  description:
    'Show the user a plan and ask for approval before any of it is done. Use it when you plan and when the work is large. A plan with jobs is run by sub-agents once it is approved, and you are told when it ends.',
  input: objectSchema({
    plan: {
      ...either(string('The plan, as Markdown', { minLength: 1, maxLength: 50_000 }), plan),
      description: 'Markdown, or a goal with jobs',
    },
  }),
  effect: 'none',
  control: true,
  leavesPlanMode: true,
  main: 'plan',
  approval: true,
  async prepare({ plan }, { plans }) {
    if (isProse(plan)) return { preview: { kind: 'text', text: plan } }
    const { plan: checked, warnings } = await plans.check(plan)
    const jobs = checked.jobs.length === 1 ? '1 job' : `${checked.jobs.length} jobs`
    const text = [describePlan(checked), ...warnings].join('\n')
    return { preview: { kind: 'text', text }, summary: `Start a plan of ${jobs}` }
  },
  async execute({ plan }, { plans }) {
    if (isProse(plan)) return answer('The plan was approved. Carry it out.', {})
    const id = await plans.start(plan)
    return answer(`The plan was approved and runs as ${id}. You are told when it ends.`, { plan: id })
  },
})

/** True for a plan without jobs: the model carries it out itself. */
function isProse(plan: unknown): plan is string {
  return typeof plan === 'string' && !isPlanText(plan)
}

/** A plan as text for a person. */
function describePlan({ goal, jobs, tools, mode }: Plan): string {
  const list = (what: string, words: readonly string[] | undefined) =>
    words === undefined ? [] : [`   ${what}: ${words.length === 0 ? 'none' : words.join(', ')}`]
  return [
    goal,
    ...list('tools', tools),
    ...(mode === undefined ? [] : [`   mode: ${mode}`]),
    ...jobs.flatMap(({ id, prompt, check, dependsOn, tools: own, files }, index) => [
      `${index + 1}. ${id}: ${prompt}`,
      ...(check === undefined ? [] : [`   check: ${check}`]),
      ...list('after', dependsOn),
      ...list('tools', own),
      ...list('files', files),
    ]),
  ].join('\n')
}
