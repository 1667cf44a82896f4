import type { JobPlan } from './plan.ts'

/** A plan that shows how plans work, with the demo model: `examples/plan.yaml` explains it. */
export const DEMO_PLAN: JobPlan = {
  goal: 'Show how a plan works, in the folder plan-demo.',
  model: 'demo',
  jobs: [
    {
      id: 'notes',
      prompt: 'write plan-demo/notes.txt with "A plan is a list of jobs."',
      check: 'test -s plan-demo/notes.txt',
    },
    {
      id: 'parts',
      prompt: 'run mktemp plan-demo/part-XXXX',
      dependsOn: ['notes'],
      check: 'ls plan-demo/part-* && test "$(ls plan-demo/part-* | wc -l)" -ge 2',
      maxIterations: 3,
    },
    { id: 'look', prompt: 'list plan-demo', tools: ['list_directory'], dependsOn: ['notes', 'parts'] },
  ],
}
