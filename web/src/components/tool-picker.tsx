import { ChevronDown, Lock, Search, TriangleAlert } from 'lucide-react'
import { Checkbox, Popover } from 'radix-ui'
import { useId, useMemo, useState } from 'react'
import { Shown } from './shown.tsx'

/** One thing that can be picked. */
export interface Pickable {
  readonly name: string
  readonly description: string
  /** The heading that it stands under: its file or server. */
  readonly group: string
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
}

/** A dropdown of checkboxes with search, groups, "Select all" and a badge such as 3/5. */
export function ToolPicker({ label, items, broken = [], selected, onChange, empty }: Props) {
  const [query, setQuery] = useState('')
  const id = useId()
  const count = items.filter(({ name }) => selected.has(name)).length
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
  return (
    <div className="dd">
      <span className="lab" id={id}>
        {label}
      </span>
      <Popover.Root onOpenChange={() => setQuery('')}>
        <Popover.Trigger className="pick" id={`${id}-value`} aria-labelledby={`${id} ${id}-value`}>
          <span className="badge">
            {count}/{items.length}
          </span>
          <span className="cut q">{onChange ? 'selected' : 'locked with the first message'}</span>
          {onChange ? (
            <ChevronDown className="i s" strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Lock className="i s" strokeWidth={1.75} aria-hidden="true" />
          )}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="pop wide-pop"
            align="start"
            sideOffset={4}
            collisionPadding={12}
            aria-label={label}
          >
            <div className="sb">
              <Search className="i" strokeWidth={1.75} aria-hidden="true" />
              <input
                className="in"
                placeholder={`Search ${label.toLowerCase()}`}
                aria-label={`Search ${label.toLowerCase()}`}
                value={query}
                onChange={({ target }) => setQuery(target.value)}
              />
            </div>
            {onChange && (
              <div className="bulk">
                <button
                  type="button"
                  className="linkish"
                  onClick={() =>
                    change(
                      shown.map(({ name }) => name),
                      true,
                    )
                  }
                >
                  Select all
                </button>
                <button
                  type="button"
                  className="linkish"
                  onClick={() =>
                    change(
                      shown.map(({ name }) => name),
                      false,
                    )
                  }
                >
                  Deselect all
                </button>
              </div>
            )}
            <div className="scroll">
              {items.length === 0 && <p className="opt q">{empty}</p>}
              {items.length > 0 && shown.length === 0 && <p className="opt q">No tool matches.</p>}
              {[...groups].map(([group, members]) => (
                <fieldset key={group} style={{ border: 0, margin: 0, padding: 0 }}>
                  <legend className="grp" style={{ width: '100%' }}>
                    <code className="cut grow">{group}</code>
                    <span>
                      {members.filter(({ name }) => selected.has(name)).length}/{members.length}
                    </span>
                  </legend>
                  {members.map(({ name, description }) => (
                    <label key={name} className="opt" htmlFor={`${id}-${name}`}>
                      <Checkbox.Root
                        id={`${id}-${name}`}
                        className={`box${selected.has(name) ? ' on' : ''}`}
                        checked={selected.has(name)}
                        disabled={!onChange}
                        onCheckedChange={(isOn) => change([name], isOn === true)}
                      />
                      <span className="grow">
                        <span className="b m">{name}</span>
                        <span className="d" style={{ display: 'block' }}>
                          <Shown text={description} />
                        </span>
                      </span>
                    </label>
                  ))}
                </fieldset>
              ))}
            </div>
            {broken.map(({ source, line, reason }) => (
              <div key={`${source} ${line} ${reason}`} className="broken">
                <TriangleAlert className="i" strokeWidth={1.75} aria-hidden="true" />
                <div>
                  <code className="b">{source}</code> could not be loaded
                </div>
                <div className="t1">
                  {line !== undefined && <code>line {line}: </code>}
                  <Shown text={reason} />
                </div>
                <div className="t1 q">Save the file when it is repaired; it appears here within a second.</div>
              </div>
            ))}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}
