import { useState } from 'react'
import { Link } from 'wouter'
import type { IterationView, JobView, PlanView } from '../../../../src/core/plans/plan-view.ts'
import { Shown } from '../../components/shown.tsx'
import { useLiveCall } from '../../live/use-live-call.ts'
import { UndoDialog } from '../../undo/undo-dialog.tsx'
import { IterationIcon, PlanTag } from './plan-state.tsx'
import type { usePlanAction } from './use-plans.ts'
import { WorkedTime } from './worked-time.tsx'

interface Props {
  readonly plan: PlanView
  readonly job: JobView
  readonly act: ReturnType<typeof usePlanAction>
}

/** One job: what its sub-agents are told, its tries and what their checks said, and feedback for the next one. */
export function JobPane({ plan, job, act }: Props) {
  const [isUndoing, setUndoing] = useState(false)
  const { iterations } = job
  const mayHaveFeedback = plan.state !== 'completed' && plan.state !== 'cancelled' && job.state !== 'skipped'
  return (
    <div className="col" style={{ gap: 12 }}>
      <div className="flex">
        <h2 className="m title">{job.id}</h2>
        <PlanTag state={job.state} />
        <span className="grow" />
        {job.tools && <span className="t1 qq">tools: {job.tools.join(', ') || 'none'}</span>}
      </div>
      <p className="q" style={{ whiteSpace: 'pre-wrap' }}>
        <Shown text={job.prompt} />
      </p>
      {job.check !== undefined && (
        <p className="t1 qq">
          Done when <code>{job.check}</code> passes.
        </p>
      )}
      {iterations.length > 0 && (
        <p>
          <button type="button" className="linkish" onClick={() => setUndoing(true)}>
            Undo its changes…
          </button>
        </p>
      )}
      {isUndoing && <UndoDialog target={{ plan: plan.id, job: job.id }} onClose={() => setUndoing(false)} />}
      {iterations.length > 0 && (
        <section aria-label="Tries">
          <h3 className="sec-h">Tries</h3>
          {iterations.toReversed().map((one, index) => (
            <Try key={one.iteration} plan={plan.id} one={one} job={job} isOpen={index === 0} />
          ))}
        </section>
      )}
      {mayHaveFeedback && <Feedback job={job} act={act} />}
    </div>
  )
}

interface TryProps {
  /** The id of the plan: its checks are calls of this session. */
  readonly plan: string
  readonly one: IterationView
  readonly job: JobView
  readonly isOpen: boolean
}

function Try({ plan, one, job, isOpen }: TryProps) {
  const { iteration, outcome, text, output, exitCode, agent, summary, checks } = one
  const running = outcome === 'checking' ? checks.at(-1) : undefined
  return (
    <details className="it" open={isOpen}>
      <summary>
        <IterationIcon outcome={outcome} />
        <b>{iteration}</b>
        <span className="q cut">
          <Shown text={text ?? WORDS[outcome]} isLine />
        </span>
        <span className="right t1 qq nw">
          <WorkedTime iterations={[one]} />
        </span>
      </summary>
      <div className="pad">
        {summary !== undefined && (
          <p className="q">
            The sub-agent reported: “<Shown text={summary} isLine />”
          </p>
        )}
        <Link href={`/sessions/${agent}`}>Transcript</Link>
      </div>
      {running !== undefined && <RunningCheck call={running} plan={plan} command={job.check ?? ''} />}
      {output !== undefined && (
        <pre className="well">
          <span className="qq">$ {job.check}</span>
          {exitCode !== undefined && <span className={exitCode === 0 ? 'ok' : 'bad'}> exit {exitCode}</span>}
          {'\n'}
          <Shown text={output} />
        </pre>
      )}
    </details>
  )
}

/** What a check prints, as it comes. */
function RunningCheck({ call, plan, command }: Record<'call' | 'plan' | 'command', string>) {
  const { item } = useLiveCall(call, plan)
  return (
    <pre className="well">
      <span className="qq">$ {command}</span> <span className="run">running</span>
      {'\n'}
      <Shown text={(item?.output ?? '').slice(-SHOWN_LIVE)} />
    </pre>
  )
}

/** How many characters of the output of a check are shown while it runs, the last ones. */
const SHOWN_LIVE = 5_000

const WORDS: Readonly<Record<IterationView['outcome'], string>> = {
  running: 'the sub-agent works',
  checking: 'the check runs',
  passed: 'passed',
  failed: 'failed',
  left: 'broken off; it goes on where it was',
}

function Feedback({ job, act }: Omit<Props, 'plan'>) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty) act.mutate({ action: 'feedback', job: job.id, text }, { onSuccess: () => setText('') })
      }}
    >
      <label className="lab" htmlFor="plan-feedback">
        Feedback for the next try
      </label>
      <textarea
        id="plan-feedback"
        className="in"
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="help">What should it do differently? A fresh sub-agent is told, and tries again.</p>
      <div className="flex" style={{ justifyContent: 'flex-end' }}>
        <button type="submit" className="btn pri" disabled={isEmpty || act.isPending}>
          Send and resume
        </button>
      </div>
    </form>
  )
}
