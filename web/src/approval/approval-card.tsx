import { Hand, Scale } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { ListedApproval } from '../../../src/core/approval/listed-approval.ts'
import { DiffView } from '../components/diff-view.tsx'
import { Sentence, Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { shownName } from '../session/call-state.ts'
import { AnswerFooter } from './answer-footer.tsx'
import { ArgumentsEditor } from './arguments-editor.tsx'
import { CommandList } from './command-list.tsx'
import { DryRun } from './dry-run.tsx'
import { EffectRows } from './effect-rows.tsx'
import { GrantForm } from './grant-choice.tsx'
import { Trace } from './trace.tsx'
import { useAnswering } from './use-answering.ts'

interface Props {
  readonly approval: ListedApproval
  /** True for the one card that the keys Y, N, E and A act on. */
  readonly hasKeys?: boolean
  /** Shown in the bar: where the call comes from. */
  readonly from?: React.ReactNode
  readonly onAnswered?: () => void
}

/** An approval request: what would happen, the exact text, its effects, who asked, and the buttons, always in this order. */
export function ApprovalCard({ approval, hasKeys = false, from, onAnswered }: Props) {
  const answering = useAnswering(approval, { hasKeys, onAnswered })
  const { checked, view, setView } = answering
  const heading = useRef<HTMLHeadingElement>(null)
  const summary = checked?.report.summary ?? approval.summary
  const headingId = `say-${approval.id}`
  useEffect(() => {
    if (hasKeys) heading.current?.focus({ preventScroll: true })
  }, [hasKeys])
  return (
    <section className="apr" aria-labelledby={headingId} data-approval={approval.id}>
      <div className="bar">
        <Hand className="i" strokeWidth={1.75} aria-hidden="true" />
        <span>Waiting for you</span>
        <span className="q asked">
          asked <TimeSince at={approval.askedAt} /> ago
        </span>
        <span className="right q">
          {from} {approval.label && <Shown text={approval.label} isLine />} <Expiry at={approval.expiresAt} />
        </span>
      </div>
      <div className="lead">
        <h2 className="say" id={headingId} ref={heading} tabIndex={-1}>
          <Sentence text={summary?.sentence ?? `Call \`${shownName(approval.tool)}\``} />
        </h2>
        <p className="sub">
          <code>{shownName(approval.tool)}</code> in <code>{approval.workspace}</code>
          {approval.mode && `, mode ${approval.mode}`}
        </p>
        <ExactText approval={approval} changed={checked?.value} />
      </div>
      {summary && <EffectRows rows={summary.rows} />}
      <AskedBy approval={approval} />
      {view === 'grant' ? (
        <GrantForm offers={approval.grants} onChange={answering.setGrant} />
      ) : view === 'deny' ? (
        <ReasonField reason={answering.reason} onChange={answering.setReason} />
      ) : (
        <Details approval={approval} answering={answering} onEdit={() => setView('edit')} />
      )}
      <AnswerFooter approval={approval} answering={answering} />
    </section>
  )
}

function Expiry({ at }: { readonly at: number }) {
  return (
    <span>
      expires in <TimeSince at={at} isAhead />
    </span>
  )
}

/** The command, path or address of a call, in full: it wraps and is never cut. */
function ExactText({ approval, changed }: { readonly approval: ListedApproval; readonly changed: unknown }) {
  const { preview } = approval
  const given = changed ?? approval.arguments
  const text = mainText(given) ?? (preview?.kind === 'command' ? preview.text : undefined)
  if (text === undefined) return null
  return (
    <pre className="well">
      <Shown text={text} />
    </pre>
  )
}

function mainText(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  for (const name of ['command', 'code', 'url', 'path'])
    if (name in given) {
      const value = (given as Readonly<Record<string, unknown>>)[name]
      if (typeof value === 'string') return value
    }
  return JSON.stringify(given, null, 2)
}

function AskedBy({ approval }: { readonly approval: ListedApproval }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="rule">
      <Scale className="i" strokeWidth={1.75} aria-hidden="true" />
      <div>
        <span className="b">
          Asked by <code>{approval.rule}</code>.
        </span>{' '}
        <Shown text={approval.reason} />.{' '}
        {approval.trace && approval.trace.length > 0 && (
          <button
            type="button"
            className="linkish"
            aria-expanded={isOpen}
            data-key="T"
            onClick={() => setOpen(!isOpen)}
          >
            Trace
          </button>
        )}
        {approval.unusual.filter(isNews).map((one) => (
          <p key={one} className="bad">
            <Shown text={one} />
          </p>
        ))}
        {isOpen && approval.trace && <Trace trace={approval.trace} />}
      </div>
    </div>
  )
}

/** True for a warning that the rows of effects do not show already. */
function isNews(warning: string): boolean {
  return !/^(changes .*, which exists|reaches the network|part of what it does)/.test(warning)
}

function ReasonField({ reason, onChange }: { readonly reason: string; readonly onChange: (reason: string) => void }) {
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
      />
      <p className="help">The run goes on; the model reads this and may try something else. To end it, use Stop.</p>
    </div>
  )
}

interface DetailsProps {
  readonly approval: ListedApproval
  readonly answering: ReturnType<typeof useAnswering>
  readonly onEdit: () => void
}

function Details({ approval, answering, onEdit }: DetailsProps) {
  const { preview, summary, hasRun, canDryRun } = approval
  const isDiff = preview?.kind === 'diff'
  const tabs = [
    ...(isDiff ? ['Diff'] : []),
    ...(!isDiff && summary && summary.commands.length > 0 ? ['What Haft read'] : []),
    ...(canDryRun ? ['What it would change'] : []),
    ...(hasRun ? [] : ['Form', 'JSON']),
  ]
  // A form that nobody asked for would only push the buttons away.
  const first = tabs.find((name) => name !== 'Form' && name !== 'JSON' && name !== 'What it would change')
  const [tab, setTab] = useState(first)
  const { view } = answering
  useEffect(() => {
    if (view === 'edit') setTab((now) => (now === 'JSON' ? now : 'Form'))
    else if (view === 'dry run') setTab('What it would change')
    else setTab(first)
  }, [view, first])
  if (tabs.length === 0) return null
  return (
    <Tabs.Root
      className="sec"
      value={tab ?? ''}
      onValueChange={(next) => {
        setTab(next)
        if (next === 'Form' || next === 'JSON') onEdit()
      }}
    >
      <Tabs.List className="seg" aria-label="Details of the call">
        {tabs.map((name) => (
          <Tabs.Trigger key={name} value={name}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="Diff">{isDiff && <DiffView diff={preview.text} />}</Tabs.Content>
      <Tabs.Content value="What Haft read">
        {summary && <CommandList commands={summary.commands} trace={approval.trace ?? []} />}
      </Tabs.Content>
      <Tabs.Content value="What it would change">
        <DryRun approval={approval} />
      </Tabs.Content>
      <Tabs.Content value="Form">
        <ArgumentsEditor approval={approval} answering={answering} form="form" />
      </Tabs.Content>
      <Tabs.Content value="JSON">
        <ArgumentsEditor approval={approval} answering={answering} form="json" />
      </Tabs.Content>
    </Tabs.Root>
  )
}
