import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { Plan, PlanJob } from '../../../../src/core/plans/plan.ts'

interface Props {
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
}

/** Lets the person change the goal, and the prompt, check, tools and order of each job, before the plan starts. */
export default function PlanEditor({ plan, onChange }: Props) {
  const { goal, jobs } = plan
  const setJobs = (next: readonly PlanJob[]) => onChange({ ...plan, jobs: next })
  const change = (index: number, made: Partial<PlanJob>) =>
    setJobs(jobs.map((job, at) => (at === index ? withoutEmpty({ ...job, ...made }) : job)))
  const swap = (index: number) => {
    const [job, above] = [jobs[index], jobs[index - 1]]
    if (job && above) setJobs(jobs.map((one, at) => (at === index ? above : at === index - 1 ? job : one)))
  }
  return (
    <div className="col">
      <label className="lab" htmlFor="plan-goal">
        Goal
      </label>
      <textarea
        id="plan-goal"
        className="in"
        rows={2}
        value={goal}
        onChange={({ target }) => onChange({ ...plan, goal: target.value })}
      />
      {jobs.map((job, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the id of a job changes while it is typed
        <fieldset key={index} className="plan-job">
          <legend className="m">{job.id || `job ${index + 1}`}</legend>
          <Field name={`plan-id-${index}`} label="Id" value={job.id} onChange={(id) => change(index, { id })} />
          <Field
            name={`plan-prompt-${index}`}
            label="What the sub-agent is told"
            rows={3}
            value={job.prompt}
            onChange={(prompt) => change(index, { prompt })}
          />
          <Field
            name={`plan-check-${index}`}
            label="Check: the command that decides whether it is done"
            isCode
            value={job.check ?? ''}
            onChange={(check) => change(index, { check })}
          />
          <Field
            name={`plan-tools-${index}`}
            label="Tools, separated by commas; empty for those of the session"
            isCode
            value={job.tools?.join(', ') ?? ''}
            onChange={(text) => change(index, { tools: wordsOf(text) })}
          />
          <Field
            name={`plan-after-${index}`}
            label="After these jobs"
            isCode
            value={job.dependsOn?.join(', ') ?? ''}
            onChange={(text) => change(index, { dependsOn: wordsOf(text) })}
          />
          <div className="flex">
            <button type="button" className="btn" disabled={index === 0} onClick={() => swap(index)}>
              <ArrowUp className="i s" strokeWidth={1.75} aria-hidden="true" />
              Up
            </button>
            <button
              type="button"
              className="btn"
              disabled={jobs.length === 1}
              onClick={() => setJobs(jobs.filter((_, at) => at !== index))}
            >
              <Trash2 className="i s" strokeWidth={1.75} aria-hidden="true" />
              Remove {job.id}
            </button>
          </div>
        </fieldset>
      ))}
      <p style={{ marginTop: 8 }}>
        <button
          type="button"
          className="btn"
          onClick={() => setJobs([...jobs, { id: `job-${jobs.length + 1}`, prompt: '' }])}
        >
          <Plus className="i s" strokeWidth={1.75} aria-hidden="true" />
          Add a job
        </button>
      </p>
    </div>
  )
}

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly rows?: number
  readonly isCode?: boolean
  readonly onChange: (text: string) => void
}

function Field({ name, label, value, rows, isCode = false, onChange }: FieldProps) {
  const look = {
    id: name,
    className: `in${isCode ? ' m' : ''}`,
    spellCheck: !isCode,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  return (
    <>
      <label className="lab" htmlFor={name}>
        {label}
      </label>
      {rows === undefined ? <input {...look} /> : <textarea {...look} rows={rows} />}
    </>
  )
}

/** The words of a list that is being typed; an empty last one stays, so that a comma can be typed. */
function wordsOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(/,\s*/)
}

/** Members that are empty are left out: an absent list means all tools, and an absent check none. */
function withoutEmpty(job: PlanJob): PlanJob {
  const entries = Object.entries(job).filter(
    ([name, value]) =>
      name === 'id' || name === 'prompt' || !(value === '' || (Array.isArray(value) && value.length === 0)),
  )
  return Object.fromEntries(entries) as unknown as PlanJob
}
