import { PLAN_ACTIONS } from '../plans/plan-event.ts'
import type { PlanView } from '../plans/plan-view.ts'
import {
  anything,
  array,
  boolean,
  either,
  integer,
  objectSchema,
  oneOf,
  optional,
  record,
  type Schema,
  string,
} from '../tool/schema.ts'
import { mode, workspace } from './answers.ts'
import type { Route } from './route.ts'

const id = string('Id of the plan', { minLength: 1, maxLength: 200 })
const job = string('Id of a job', { minLength: 1, maxLength: 64 })

/** A plan as it is listed. `isHeld` is false for one that runs without a living process: it was cut off and goes on with `resume`. */
type ListedPlan = PlanView & { readonly isHeld: boolean }

const plan: Schema<ListedPlan> = anything<ListedPlan>(
  'A plan: id, goal, state (running, paused, completed, failed, cancelled), isHeld, pause?, and jobs with their state and iterations',
)

const given = {
  plan: optional(
    either(
      string('The plan as text: YAML, JSON or a Markdown checklist', { minLength: 1, maxLength: 1_000_000 }),
      record(anything('A value'), 'The plan as data: goal, jobs and the keys of docs/plans.md'),
    ),
  ),
  demo: optional(boolean('Runs the plan that comes with Haft instead')),
  workspace,
}

export const planRoutes = {
  listPlans: {
    method: 'GET',
    path: '/api/plans',
    about: 'Lists plans of every process, the last used first.',
    query: {
      workspace: optional(string('Only plans of this folder', { maxLength: 4_096 })),
      limit: optional(integer('At most so many; 50 when left out', { minimum: 1, maximum: 1_000 })),
    },
    answers: { 200: objectSchema({ plans: array(plan, 'The plans') }) },
  },
  startPlan: {
    method: 'POST',
    path: '/api/plans',
    about:
      'Starts a plan. 400 names everything that is wrong with it; 409 while another plan of the workspace is running or paused.',
    body: {
      ...given,
      model: optional(string('Model, in place of that of the plan', { minLength: 1, maxLength: 300 })),
      mode: optional(mode('Mode of whoever starts it; the plan can only be stricter')),
      manual: optional(boolean('Pauses after each job')),
    },
    answers: { 201: objectSchema({ plan }) },
  },
  checkPlan: {
    method: 'POST',
    path: '/api/plans/check',
    about: 'Checks a plan and runs nothing.',
    body: { ...given, mode: optional(mode('Mode of whoever would start it')) },
    answers: {
      200: objectSchema({
        problems: array(
          anything('`{where, text, line?, column?}`'),
          'Everything that is wrong; empty where it could start',
        ),
        warnings: array(string('A sentence'), 'What it asks for and would not get'),
      }),
    },
  },
  getPlan: {
    method: 'GET',
    path: '/api/plans/{id}',
    about: 'Describes a plan, its jobs and what their checks said.',
    params: { id },
    answers: { 200: objectSchema({ plan }) },
  },
  actOnPlan: {
    method: 'POST',
    path: '/api/plans/{id}/{action}',
    about: 'Steers a plan, in whatever process it runs. Where none runs it, the server does from then on.',
    params: { id, action: oneOf(PLAN_ACTIONS, 'What to do') },
    body: {
      job: optional(job),
      text: optional(string('With feedback: what the job should do differently', { maxLength: 50_000 })),
    },
    answers: { 202: objectSchema({ plan }) },
  },
} as const satisfies Record<string, Route>
