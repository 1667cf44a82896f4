import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { useParams } from '../../lists/use-params.ts'
import { Replayed } from './replayed.tsx'
import { CONDITIONS, type Condition, emptyRule, type RuleDraft, ruleOf } from './rule-draft.ts'

const DECISIONS = [
  ['allow', 'Allow', 'runs without asking'],
  ['ask', 'Ask', 'a person answers'],
  ['deny', 'Deny', 'never runs; no other rule can change that'],
] as const

/** A form for a rule of one's own: its conditions, its examples, and what it would have changed in the last days, before it is kept. */
export function WriteRule() {
  const queries = useQueryClient()
  const { get, set } = useParams()
  const [draft, setDraft] = useState<RuleDraft>(() => emptyRule(get('example')))
  const [days, setDays] = useState(7)
  const rule = ruleOf(draft)
  const text = JSON.stringify(rule)
  const replay = useMutation({
    mutationFn: () =>
      api()
        .replayRules({ rule, days })
        .then((report) => ({ report, text })),
  })
  const keep = useMutation({
    mutationFn: () => api().addRule(rule),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['rules'] })
      setDraft(emptyRule())
      replay.reset()
    },
  })
  const change = (changes: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...changes })
    keep.reset()
  }
  const seen = replay.data?.text === text ? replay.data.report : undefined
  const broken = seen?.examples?.some(({ holds }) => !holds) ?? false
  const isNamed = draft.name.trim() !== ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (seen && !broken) keep.mutate()
        else replay.mutate()
      }}
    >
      <h2 className="sec-h">
        Write a rule <span className="qq">kept in managed.toml; settings.toml is not changed</span>
      </h2>
      {keep.isSuccess && (
        <p className="note ok" role="status">
          <Check className="i" strokeWidth={1.75} aria-hidden="true" />
          <span className="grow">
            The rule is in force.{' '}
            <button type="button" className="linkish" onClick={() => set({ view: undefined, example: undefined })}>
              Back to all rules
            </button>
          </span>
        </p>
      )}
      <RuleFields draft={draft} change={change} />
      <Lines
        id="rule-matches"
        label="Examples that it matches"
        help={'One call a line: write_file {"path":"docs/a.md","content":""}'}
        value={draft.matches}
        onChange={(matches) => change({ matches })}
      />
      <Lines
        id="rule-not"
        label="Examples that it does not match"
        value={draft.not}
        onChange={(not) => change({ not })}
      />
      <div className="flex wrap">
        <label className="t1 q" htmlFor="rule-days">
          Replay the calls of the last
        </label>
        <select
          id="rule-days"
          className="in choice"
          value={days}
          onChange={({ target }) => {
            setDays(Number(target.value))
            replay.reset()
          }}
        >
          {[1, 7, 30, 90].map((one) => (
            <option key={one} value={one}>
              {one === 1 ? 'day' : `${one} days`}
            </option>
          ))}
        </select>
        <span className="full" />
        <button type="button" className="btn" disabled={!isNamed || replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending ? 'Judging them again…' : 'Replay'}
        </button>
        <button type="submit" className="btn pri" disabled={!seen || broken || keep.isPending}>
          {keep.isPending ? 'Keeping…' : 'Keep this rule'}
        </button>
      </div>
      <p className="help">
        {!isNamed
          ? 'A rule needs a name.'
          : seen
            ? broken
              ? 'An example is wrong; it cannot be kept like this.'
              : 'Nothing has run. The rule counts once you keep it.'
            : 'It can be kept once you have seen what it would have changed.'}
      </p>
      {replay.error && <Problem text={replay.error.message} />}
      {keep.error && <Problem text={keep.error.message} />}
      {seen && <Replayed report={seen} days={days} />}
    </form>
  )
}

interface FieldsProps {
  readonly draft: RuleDraft
  readonly change: (changes: Partial<RuleDraft>) => void
}

/** Name, decision, reason and conditions. */
function RuleFields({ draft, change }: FieldsProps) {
  return (
    <>
      <div className="fld">
        <label className="lab" htmlFor="rule-name">
          Name <span className="qq">required</span>
        </label>
        <input
          id="rule-name"
          className="in m"
          value={draft.name}
          placeholder="docs_are_free"
          onChange={({ target }) => change({ name: target.value })}
        />
      </div>
      <fieldset className="fld">
        <legend className="lab">Decision</legend>
        {DECISIONS.map(([value, name, about]) => (
          <label key={value} className="flex radio-line">
            <input
              type="radio"
              name="decision"
              checked={draft.decision === value}
              onChange={() => change({ decision: value })}
            />
            {name} <span className="t1 qq">{about}</span>
          </label>
        ))}
      </fieldset>
      <div className="fld">
        <label className="lab" htmlFor="rule-reason">
          Reason
        </label>
        <input
          id="rule-reason"
          className="in"
          value={draft.reason}
          placeholder="Shown to the model and to you"
          onChange={({ target }) => change({ reason: target.value })}
        />
      </div>
      <fieldset className="fld">
        <legend className="lab">When all of these match</legend>
        {draft.conditions.map((condition, index) => (
          <ConditionField
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
            key={index}
            condition={condition}
            onChange={(next) => change({ conditions: draft.conditions.with(index, next) })}
            onRemove={() => change({ conditions: draft.conditions.toSpliced(index, 1) })}
          />
        ))}
        {draft.conditions.length === 0 && <p className="t1 q">No condition: it matches every call.</p>}
        <button
          type="button"
          className="linkish"
          onClick={() => change({ conditions: [...draft.conditions, { kind: 'paths', values: '' }] })}
        >
          <Plus className="i s" strokeWidth={1.75} aria-hidden="true" /> Add a condition
        </button>
      </fieldset>
    </>
  )
}

interface ConditionProps {
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionField({ condition, onChange, onRemove }: ConditionProps) {
  const about = CONDITIONS.find(([kind]) => kind === condition.kind)
  return (
    <div className="cond">
      <select
        className="in"
        aria-label="Condition on"
        value={condition.kind}
        onChange={({ target }) =>
          onChange({ ...condition, kind: CONDITIONS.find(([kind]) => kind === target.value)?.[0] ?? 'paths' })
        }
      >
        {CONDITIONS.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      <textarea
        className="in m"
        rows={Math.max(1, condition.values.split('\n').length)}
        aria-label={`${about?.[1] ?? condition.kind}, one a line`}
        placeholder={about?.[2]}
        spellCheck={false}
        value={condition.values}
        onChange={({ target }) => onChange({ ...condition, values: target.value })}
      />
      <button type="button" className="btn bare ico" aria-label="Remove this condition" onClick={onRemove}>
        <X className="i s" strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}

interface LinesProps {
  readonly id: string
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Lines({ id, label, help, value, onChange }: LinesProps) {
  return (
    <div className="fld">
      <label className="lab" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="in m"
        rows={Math.max(2, value.split('\n').length)}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {help && <p className="help">{help}</p>}
    </div>
  )
}
