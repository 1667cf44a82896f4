import { ListFilter } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useSessions, useTools } from '../../api/queries.ts'
import { useSettled } from '../../components/use-settled.ts'
import type { CallSearch } from './use-calls.ts'

interface Props {
  readonly search: CallSearch
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
  readonly field: RefObject<HTMLInputElement | null>
}

type Options = readonly (readonly [value: string, name: string])[]

const DECISIONS: Options = [
  ['allow', 'Allowed'],
  ['ask', 'Asked'],
  ['deny', 'Blocked'],
]
const OUTCOMES: Options = [
  ['ok', 'Done'],
  ['BLOCKED', 'Blocked'],
  ['DENIED', 'Denied'],
  ['INVALID_ARGUMENTS', 'Not valid'],
  ['EXECUTION_ERROR', 'Failed'],
  ['TIMEOUT', 'Timed out'],
  ['CANCELLED', 'Cancelled'],
  ['CONFLICT', 'Conflict'],
  ['INTERRUPTED', 'Interrupted'],
  ['FILE_NOT_FOUND', 'Not found'],
]
const TIMES: Options = [
  ['hour', 'Last hour'],
  ['day', 'Last day'],
  ['week', 'Last week'],
]

/** Search and filters of the log; every one of them is part of the address. */
export function LogFilters({ search, onChange, field }: Props) {
  const [text, setText] = useState(search.q ?? '')
  const [isOpen, setOpen] = useState(false)
  const settled = useSettled(text.trim(), 250)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a text that was typed changes the address
  useEffect(() => {
    if (settled !== (search.q ?? '')) onChange({ q: settled })
  }, [settled])
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that was opened or cleared changes the text
  useEffect(() => {
    if ((search.q ?? '') !== settled) setText(search.q ?? '')
  }, [search.q])
  const sessions: Options = useSessions().map(({ session, title }) => [session, title ?? 'Untitled'])
  const tools: Options = useTools().tools.map(({ name }) => [name, name])
  const active = ['session', 'tool', 'decision', 'outcome', 'since'].filter((one) => Reflect.get(search, one)).length
  return (
    <search className="flt">
      <input
        ref={field}
        className="in"
        type="search"
        placeholder="Search arguments, rules and output"
        aria-label="Search arguments, rules and output"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="button" className="btn only-s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ListFilter className="i" strokeWidth={1.75} aria-hidden="true" />
        Filter{active > 0 && ` (${active})`}
      </button>
      <div className={`flt-more${isOpen ? ' open' : ''}`}>
        <Choice
          name="Session"
          options={sessions}
          value={search.session}
          onChange={(session) => onChange({ session })}
        />
        <Choice name="Tool" options={tools} value={search.tool} onChange={(tool) => onChange({ tool })} />
        <Choice
          name="Decision"
          options={DECISIONS}
          value={search.decision}
          onChange={(decision) => onChange({ decision })}
        />
        <Choice
          name="Outcome"
          options={OUTCOMES}
          value={search.outcome}
          onChange={(outcome) => onChange({ outcome })}
        />
        <Choice name="Time" options={TIMES} value={search.since} onChange={(since) => onChange({ since })} />
      </div>
    </search>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly options: Options
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

function Choice({ name, options, value, onChange }: ChoiceProps) {
  const isKnown = value === undefined || options.some(([one]) => one === value)
  return (
    <select
      className={`in choice${value === undefined ? '' : ' on'}`}
      aria-label={name}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{name}: any</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([one, shown]) => (
        <option key={one} value={one}>
          {shown}
        </option>
      ))}
    </select>
  )
}
