import { Check, ChevronDown, Lock, Search, TriangleAlert } from 'lucide-react'
import { Checkbox, Popover } from 'radix-ui'
import { useId, useMemo, useState } from 'react'
import { useShortPath } from './short-path.tsx'
import { Shown } from './shown.tsx'

/** One thing that can be picked. */
export interface Pickable {
  readonly name: string
  readonly description: string
  /** The heading that it stands under: its file or server. No heading where it is empty. */
  readonly group: string
  /** A short fact at the right: the state of a server. */
  readonly fact?: { readonly text: string; readonly look: 'ok' | 'run' | 'bad' | 'off' } | undefined
}

/** A file that could not be loaded. */
export interface Broken {
  readonly source: string
  readonly line?: number | undefined
  readonly reason: string
}

interface Props {
  readonly label: string
  readonly items: readonly Pickable[]
  readonly broken?: readonly Broken[]
  readonly selected: ReadonlySet<string>
  /** Left out where the selection is locked: it can be looked at, not changed. */
  readonly onChange?: (selected: ReadonlySet<string>) => void
  readonly empty: string
  /** A small form for the side of a page: the badge, a lock, and a link. */
  readonly isSmall?: boolean
}

/** A dropdown of checkboxes with search, groups, "Select all" and a badge such as 3/5. */
export function ToolPicker({ label, items, broken = [], selected, onChange, empty, isSmall = false }: Props) {
  const id = useId()
  const count = items.filter(({ name }) => selected.has(name)).length
  const badge = `${count}/${items.length}`
  const problem = problemOf(broken.length, items.filter(({ fact }) => fact?.look === 'bad').length)
  return (
    <div className="dd">
      {!isSmall && (
        <span className="lab" id={id}>
          {label}
        </span>
      )}
      <Popover.Root>
        {isSmall ? (
          <Popover.Trigger className="locked">
            <span className="sr">{label}: </span>
            <span className="badge">{badge}</span>
            <Lock className="i s" strokeWidth={1.75} aria-hidden="true" />
            <span className="qq">locked</span>
            <span className="linkish">View</span>
          </Popover.Trigger>
        ) : (
          <Popover.Trigger className="pick" id={`${id}-value`} aria-labelledby={`${id} ${id}-value`}>
            <span className="badge">{badge}</span>
            <span className="cut q">selected</span>
            {problem && (
              <span className="tag bad">
                <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
                {problem}
              </span>
            )}
            <ChevronDown className="i s" strokeWidth={1.75} aria-hidden="true" />
          </Popover.Trigger>
        )}
        <Popover.Portal>
          <Popover.Content
            className="pop wide-pop"
            align={isSmall ? 'end' : 'start'}
            sideOffset={4}
            collisionPadding={12}
            aria-label={label}
          >
            <Choices {...{ label, items, selected, onChange, empty }} />
            {broken.map((file) => (
              <BrokenFile key={`${file.source} ${file.line} ${file.reason}`} {...file} />
            ))}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}

/** What the closed picker says about files that are broken, or servers that do not work. */
function problemOf(broken: number, failed: number): string | undefined {
  if (broken > 0) return `${broken} broken`
  return failed > 0 ? `${failed} failed` : undefined
}

type ChoicesProps = Pick<Props, 'label' | 'items' | 'selected' | 'empty'> & {
  readonly onChange: Props['onChange'] | undefined
}

function Choices({ label, items, selected, onChange, empty }: ChoicesProps) {
  const [query, setQuery] = useState('')
  const shortPath = useShortPath()
  const shown = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    return items.filter(({ name, description }) =>
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
    )
  }, [items, query])
  const groups = Map.groupBy(shown, ({ group }) => group)
  const change = (names: readonly string[], isOn: boolean) => {
    const next = new Set(selected)
    for (const name of names) isOn ? next.add(name) : next.delete(name)
    onChange?.(next)
  }
  const changeShown = (isOn: boolean) =>
    change(
      shown.map(({ name }) => name),
      isOn,
    )
  if (items.length === 0) return <p className="teach">{empty}</p>
  return (
    <>
      <div className="sb">
        <Search className="i" strokeWidth={1.75} aria-hidden="true" />
        <input
          className="in"
          placeholder={`Search ${inSentence(label)}`}
          aria-label={`Search ${inSentence(label)}`}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      {onChange && (
        <div className="bulk">
          <button type="button" className="linkish" onClick={() => changeShown(true)}>
            Select all
          </button>
          <button type="button" className="linkish" onClick={() => changeShown(false)}>
            Deselect all
          </button>
          {query !== '' && <span className="qq t1 right">of the {shown.length} shown</span>}
        </div>
      )}
      <div className="scroll">
        {shown.length === 0 && <p className="teach">Nothing matches “{query}”.</p>}
        {[...groups].map(([group, members]) => (
          <fieldset key={group} className="plain">
            {group === '' ? (
              <legend className="sr">{label}</legend>
            ) : (
              <legend className="grp">
                <code className="cut grow" title={group}>
                  {shortPath(group)}
                </code>
                <span>
                  {members.filter(({ name }) => selected.has(name)).length}/{members.length}
                </span>
              </legend>
            )}
            {members.map((item) => (
              <Choice
                key={item.name}
                item={item}
                isOn={selected.has(item.name)}
                onChange={onChange && ((isOn) => change([item.name], isOn))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  )
}

/** A label inside a sentence: small letters, unless its first word is an abbreviation. */
function inSentence(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.toLowerCase()
}

interface ChoiceProps {
  readonly item: Pickable
  readonly isOn: boolean
  readonly onChange: ((isOn: boolean) => void) | undefined
}

function Choice({ item: { name, description, fact }, isOn, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <label className={`opt${onChange ? '' : ' still'}`} htmlFor={id}>
      <Checkbox.Root
        id={id}
        className="box"
        checked={isOn}
        disabled={!onChange}
        onCheckedChange={(next) => onChange?.(next === true)}
      >
        <Checkbox.Indicator asChild>
          <Check className="i" strokeWidth={2.5} aria-hidden="true" />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span className="grow">
        <span className="b m">
          <Shown text={name} isLine />
        </span>
        <span className="d">
          <Shown text={description} />
        </span>
      </span>
      {fact && <span className={`tag ${fact.look}`}>{fact.text}</span>}
    </label>
  )
}

function BrokenFile({ source, line, reason }: Broken) {
  const shortPath = useShortPath()
  return (
    <div className="broken">
      <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
      <div>
        <code className="b">{shortPath(source)}</code> could not be loaded
      </div>
      <div className="t1">
        {line !== undefined && <code>line {line}: </code>}
        <Shown text={reason} />
      </div>
      <div className="t1 q">Fix the file and save it: it appears here within a second.</div>
    </div>
  )
}
