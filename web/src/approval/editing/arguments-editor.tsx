import { Check, Hand, ShieldX } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { ListedApproval } from '../../../../src/core/approval/listed-approval.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import type { Answering } from '../use-answering.ts'
import { planOf } from './plan-of.ts'

const ArgumentsForm = lazy(() => import('./arguments-form.tsx'))
const PlanEditor = lazy(() => import('./plan-editor.tsx'))

interface Props {
  readonly approval: ListedApproval
  readonly answering: Answering
  readonly form: 'form' | 'json'
}

/** Lets the person change the arguments, as a form made from the tool's schema or as JSON. Every change is checked by the server. */
export function ArgumentsEditor({ approval, answering, form }: Props) {
  const { draft, setDraft, syntaxProblem } = answering.edited
  const given = approval.sent ?? approval.arguments
  const text = draft ?? JSON.stringify(given, null, 2)
  const plan = approval.tool === 'propose_plan' ? planOf(readValue(text, given)) : undefined
  return (
    <div style={{ paddingTop: 10 }}>
      {form === 'json' ? (
        <>
          <label className="sr" htmlFor={`json-${approval.id}`}>
            Arguments as JSON
          </label>
          <textarea
            id={`json-${approval.id}`}
            className={`in m ${syntaxProblem ? 'bad' : ''}`}
            rows={Math.min(16, text.split('\n').length + 1)}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setDraft(target.value)}
          />
        </>
      ) : (
        <Suspense fallback={<p className="q">Loading the form…</p>}>
          {plan ? (
            <PlanEditor plan={plan} onChange={(changed) => setDraft(JSON.stringify({ plan: changed }, null, 2))} />
          ) : (
            <ArgumentsForm
              tool={approval.tool}
              workspace={approval.workspace}
              value={readValue(text, given)}
              onChange={(value) => setDraft(JSON.stringify(value, null, 2))}
            />
          )}
        </Suspense>
      )}
      {draft !== undefined && (
        <p className="help">
          Was:{' '}
          <del>
            <Shown text={JSON.stringify(given)} isLine />
          </del>{' '}
          <button type="button" className="linkish" onClick={() => setDraft(undefined)}>
            Undo my changes
          </button>
        </p>
      )}
      <CheckNote edited={answering.edited} />
    </div>
  )
}

function readValue(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** What the server says about the changed arguments. */
function CheckNote({ edited }: Pick<Answering, 'edited'>) {
  const { draft, checked, isChecking, syntaxProblem, checkError, checkAgain } = edited
  if (draft === undefined) return <p className="help">Change the arguments; each change is checked at once.</p>
  if (syntaxProblem) return <Note look="bad" text={`Not valid JSON: ${syntaxProblem}`} />
  if (checkError && !isChecking)
    return (
      <Problem text={`It could not be checked, so it cannot be approved: ${checkError.message}`}>
        <button type="button" className="linkish" onClick={checkAgain}>
          Check again
        </button>
      </Problem>
    )
  if (isChecking || !checked)
    return (
      <p className="live-check" role="status">
        Checking…
      </p>
    )
  const { problem, report } = checked
  if (problem !== null) return <Note look="bad" text={problem} />
  return report.decision === 'allow' ? (
    <Note look="ok" text={`Would run without asking. ${report.rule ? `Rule ${report.rule} allows it.` : ''}`} />
  ) : (
    <Note look="ask" text={`Would ask you. ${report.text}`} />
  )
}

const ICONS = { ok: Check, ask: Hand, bad: ShieldX }

function Note({ look, text }: { readonly look: 'ok' | 'ask' | 'bad'; readonly text: string }) {
  const Icon = ICONS[look]
  return (
    <div className={`note ${look}`} style={{ marginTop: 10 }} role="status">
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
      <span className="grow">
        <Shown text={text} />
      </span>
    </div>
  )
}
