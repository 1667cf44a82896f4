import { Hand, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { agentsOfJob } from '../../../src/core/plans/agent-ids.ts'
import { ShortPath } from '../components/short-path.tsx'
import { Sentence, Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { shownName } from '../session/call-state.ts'
import { AnswerFooter } from './answer-footer.tsx'
import { AskedBy } from './asked-by.tsx'
import { markAsked } from './asked-parts.ts'
import { CardDetails } from './card-details.tsx'
import { EffectRows } from './effect-rows.tsx'
import { GrantForm } from './grant-choice.tsx'
import { ModelSays } from './model-says.tsx'
import { useAnswering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  /** True for the one card that the keys Y, N, E and A act on. */
  readonly hasKeys?: boolean
  /** Shown in the bar: where the call comes from. */
  readonly from?: ReactNode
  /** True where nothing around the card scrolls to it by itself. */
  readonly scrollsIntoView?: boolean
  readonly onAnswered?: () => void
}

/** An approval request: what would happen, the exact text, its effects, who asked, and the buttons, always in this order. */
export function ApprovalCard({ approval, hasKeys = false, from, scrollsIntoView = false, onAnswered }: Props) {
  const card = useRef<HTMLElement>(null)
  const answering = useAnswering(approval, { hasKeys, card, onAnswered })
  const { view, summary, edited } = answering
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = `say-${approval.id}`
  useEffect(() => {
    if (scrollsIntoView) card.current?.scrollIntoView({ block: 'nearest' })
    if (hasKeys && !isTyping()) heading.current?.focus({ preventScroll: true })
  }, [hasKeys, scrollsIntoView])
  return (
    <section className="apr" ref={card} aria-labelledby={headingId} data-approval={approval.id}>
      <div className="bar">
        <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>{approval.hasRun ? 'Has run on a copy; waits for you' : 'Waiting for you'}</span>
        <span className="q asked">
          asked <TimeSince at={approval.askedAt} /> ago
        </span>
        <span className="right q cut">
          {edited.draft !== undefined && (
            <span className="tag line">
              <Pencil className="i" strokeWidth={1.75} aria-hidden="true" />
              changed
            </span>
          )}
          {from}
          {approval.label && (
            <span>
              agent “<Shown text={approval.label} isLine />”
            </span>
          )}
          <span className="asked">
            expires in <TimeSince at={approval.expiresAt} isAhead />
          </span>
        </span>
      </div>
      <div className="lead">
        <h2 className="say" id={headingId} ref={heading} tabIndex={-1}>
          <Sentence text={summary?.sentence ?? `Call \`${shownName(approval.tool)}\``} />
        </h2>
        <p className="sub">
          <code>{shownName(approval.tool)}</code> in <ShortPath path={approval.workspace} />
          {approval.mode && <>, mode {approval.mode}</>}
        </p>
        <ExactText approval={approval} changed={edited.checked?.value} />
      </div>
      {summary && <EffectRows rows={summary.rows} />}
      <AskedBy approval={approval} answering={answering} />
      {view === 'grant' ? (
        <GrantForm
          offers={approval.grants}
          canBeUnlimited={approval.summary?.canUndo !== false}
          isInPlan={agentsOfJob(approval.session) !== undefined}
          onChange={answering.setGrant}
        />
      ) : view === 'deny' ? (
        <ReasonField reason={answering.reason} onChange={answering.setReason} onSend={answering.deny} />
      ) : (
        <CardDetails approval={approval} answering={answering} />
      )}
      <ModelSays approval={approval} />
      <AnswerFooter approval={approval} answering={answering} />
    </section>
  )
}

/** True while a person types: a new card must not take the focus from a field. */
function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement
}

/** The command, path or address of a call, in full: it wraps and is never cut. The part that a rule asks about is bold. */
function ExactText({ approval, changed }: { readonly approval: ListedApproval; readonly changed: unknown }) {
  const given = changed ?? approval.arguments
  const text = mainText(given)
  if (text === undefined) return null
  const { summary, trace = [] } = approval
  const parts = changed === undefined ? markAsked(text, summary?.commands ?? [], trace) : [{ text, isAsked: false }]
  return (
    <pre className="well">
      {parts.map((part, index) =>
        part.isAsked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is all there is
          <b key={index} className="ask">
            <Shown text={part.text} />
          </b>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts is all there is
          <span key={index}>
            <Shown text={part.text} />
          </span>
        ),
      )}
    </pre>
  )
}

function mainText(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  for (const [name, value] of Object.entries(given))
    if (['command', 'code', 'url', 'path'].includes(name) && typeof value === 'string') return value
  return JSON.stringify(given, null, 2)
}

interface ReasonProps {
  readonly reason: string
  readonly onChange: (reason: string) => void
  readonly onSend: () => void
}

function ReasonField({ reason, onChange, onSend }: ReasonProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div className="sec">
      <label className="lab" htmlFor="deny-reason">
        Reason, sent to the model
      </label>
      <textarea
        ref={field}
        id="deny-reason"
        className="in"
        rows={2}
        value={reason}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key, metaKey, ctrlKey }) => key === 'Enter' && (metaKey || ctrlKey) && onSend()}
      />
      <p className="help">The run goes on; the model reads this and may try something else. To end it, use Stop.</p>
    </div>
  )
}
