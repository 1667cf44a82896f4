import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronRight, Hand, Lock, LockOpen, ShieldX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'
import { shownSpan } from '../../components/time-since.tsx'
import { conditionsOf, type ListedGrant, type ListedRule, type RuleRow } from './rule-rows.ts'
import { TrustDialog } from './trust-dialog.tsx'

export const DECISION_LOOK = { allow: [Check, 'ok'], ask: [Hand, 'ask'], deny: [ShieldX, 'bad'] } as const

interface Props {
  readonly row: RuleRow
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

/** One row of the rules page. */
export function RuleListRow({ row, isCurrent, onOpen }: Props) {
  if (row.kind === 'heading') return <Heading row={row} />
  return row.kind === 'grant' ? (
    <GrantRow grant={row.grant} />
  ) : (
    <RuleRowView listed={row.rule} isOpen={isCurrent} onOpen={onOpen} />
  )
}

function Heading({ row }: { readonly row: Extract<RuleRow, { kind: 'heading' }> }) {
  const [isOpen, setOpen] = useState(false)
  const { title, source, note, trust } = row
  return (
    <div className="lay">
      <h2>{title}</h2>
      {source !== '' && <span className="m t1 qq cut">{source}</span>}
      {trust && (
        <span className="tag">
          {trust.isTrusted ? (
            <LockOpen className="i" strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Lock className="i" strokeWidth={1.75} aria-hidden="true" />
          )}
          {trust.isTrusted ? 'trusted' : 'not trusted'}
        </span>
      )}
      <span className="t1 q">
        {trust &&
          !trust.isTrusted &&
          `may only tighten; ${trust.ignored.length} ${trust.ignored.length === 1 ? 'setting' : 'settings'} ignored. `}
        {note}
      </span>
      {trust && (
        <button type="button" className="linkish" onClick={() => setOpen(true)}>
          {trust.isTrusted ? 'Show what is trusted' : 'Review and trust…'}
        </button>
      )}
      {trust && isOpen && <TrustDialog trust={trust} onClose={() => setOpen(false)} />}
    </div>
  )
}

function DecisionTag({ decision }: { readonly decision: keyof typeof DECISION_LOOK }) {
  const [Icon, colour] = DECISION_LOOK[decision]
  return (
    <span className={`tag ${colour}`}>
      <Icon className="i" strokeWidth={1.75} aria-hidden="true" />
      {decision}
    </span>
  )
}

function GrantRow({ grant }: { readonly grant: ListedGrant }) {
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => api().revokeGrant({ id: grant.id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  })
  const { tool, text, workspace, used, times, until, session } = grant
  const ends = [
    ...(times === undefined ? [] : [`${times - used} of ${times} left`]),
    ...(until === undefined ? [] : [`${shownSpan(until - Date.now())} left`]),
    ...(session === undefined ? [] : ['this session']),
  ]
  return (
    <div className="rl">
      <DecisionTag decision="allow" />
      <span className="grow">
        <span className="m b">{tool}</span>
        <span className="t1 q" style={{ display: 'block' }}>
          <Shown text={text} /> <span className="qq">in {workspace}</span>
        </span>
        {revoke.error && <Problem text={revoke.error.message} />}
      </span>
      <span className="t1 qq nw">
        used {used} {used === 1 ? 'time' : 'times'}
        {ends.length > 0 && `, ${ends.join(', ')}`}
      </span>
      <button type="button" className="linkish" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke<span className="sr"> the grant for {tool}</span>
      </button>
    </div>
  )
}

interface RuleProps {
  readonly listed: ListedRule
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function RuleRowView({ listed, isOpen, onOpen }: RuleProps) {
  const queries = useQueryClient()
  const { rule, mode, isAnswered, isManaged, layer, decided } = listed
  const remove = useMutation({
    mutationFn: () => api().removeRule({ name: rule.name }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules'] }),
  })
  const conditions = conditionsOf(rule as unknown as Readonly<Record<string, unknown>>)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className={`rl-box${isOpen ? ' open' : ''}`}>
      <button type="button" className="rl" aria-expanded={isOpen} onClick={onOpen}>
        <DecisionTag decision={rule.decision} />
        <span className="grow">
          <span className="m b">{rule.name}</span>
          {layer === 'untrusted project' && <span className="tag line">counts only where stricter</span>}
          {mode && <span className="tag line">mode {mode}</span>}
          {isAnswered && <span className="tag line">answered by the mode</span>}
          <span className="t1 q why-line" style={{ display: 'block' }}>
            <Shown text={rule.reason ?? conditions} />
          </span>
        </span>
        {decided > 0 && (
          <span className="t1 qq nw" title="How many calls of the last 30 days it decided">
            {decided.toLocaleString('en')} {decided === 1 ? 'call' : 'calls'}
          </span>
        )}
        <Chevron className="i s qq" strokeWidth={1.75} aria-hidden="true" />
      </button>
      {isOpen && (
        <div className="rl-more">
          <p className="t1 q">
            {decided === 0
              ? 'It decided no call in the last 30 days.'
              : `It decided ${decided.toLocaleString('en')} ${decided === 1 ? 'call' : 'calls'} in the last 30 days.`}
          </p>
          {conditions !== '' && (
            <p className="t1 q">
              When <code>{conditions}</code>
            </p>
          )}
          <Examples rule={rule} />
          <p className="flex">
            <Link href={`/log?q=${encodeURIComponent(rule.name)}`}>Calls in the log that name it</Link>
            {isManaged && (
              <button type="button" className="linkish" disabled={remove.isPending} onClick={() => remove.mutate()}>
                Remove this rule
              </button>
            )}
          </p>
          {remove.error && <Problem text={remove.error.message} />}
        </div>
      )}
    </div>
  )
}

function Examples({ rule }: { readonly rule: ListedRule['rule'] }) {
  const entries = Object.entries(rule.examples ?? {}).flatMap(([kind, list]) =>
    (list ?? []).map((example) => ({ kind, example })),
  )
  if (entries.length === 0) return <p className="t1 qq">It has no examples.</p>
  return (
    <ul className="examples">
      {entries.slice(0, 40).map(({ kind, example }) => (
        <li key={`${kind} ${example}`}>
          <span className={`t1 ${kind === 'not' ? 'qq' : ''}`}>{kind === 'not' ? 'does not match' : 'matches'}</span>
          <code>
            <Shown text={example} isLine />
          </code>
        </li>
      ))}
    </ul>
  )
}
