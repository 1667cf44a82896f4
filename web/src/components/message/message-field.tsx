import { lazy, Suspense, type TextareaHTMLAttributes, useId, useRef, useState } from 'react'
import { findMention, type Mention } from './mention.ts'

const FileMenu = lazy(() => import('./file-menu.tsx'))

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (text: string) => void
  /** The workspace whose files can be named; nothing is offered while it is not known. */
  readonly workspace: string | undefined
}

/** A field for messages. Typing `@` offers the files of the workspace. */
export function MessageField({ value, onChange, workspace, onKeyDown, className, ...rest }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [mention, setMention] = useState<Mention>()
  const [isClosed, setClosed] = useState(false)
  const handleKey = useRef<(key: string) => boolean>(() => false)
  const [active, setActive] = useState<string>()
  const menu = useId()
  const isOpen = mention !== undefined && !isClosed && workspace !== undefined
  const look = ({ value: text, selectionStart }: HTMLTextAreaElement) => {
    const found = findMention(text, selectionStart)
    if (found?.start !== mention?.start) setClosed(false)
    setMention(found)
  }
  const insert = (path: string) => {
    if (mention === undefined) return
    const named = /\s/.test(path) ? `@"${path}"` : `@${path}`
    const before = `${value.slice(0, mention.start)}${named} `
    onChange(before + value.slice(mention.end).replace(/^ /, ''))
    setMention(undefined)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
    })
  }
  return (
    <div className="mf">
      <textarea
        {...rest}
        ref={field}
        className={`in ${className ?? ''}`}
        value={value}
        aria-autocomplete="list"
        aria-controls={isOpen ? menu : undefined}
        aria-activedescendant={isOpen ? active : undefined}
        onChange={({ target }) => {
          onChange(target.value)
          look(target)
        }}
        onSelect={({ currentTarget }) => look(currentTarget)}
        onBlur={() => setMention(undefined)}
        onKeyDown={(event) => {
          if (isOpen && event.key === 'Escape') {
            event.preventDefault()
            setClosed(true)
          } else if (isOpen && !event.nativeEvent.isComposing && handleKey.current(event.key)) event.preventDefault()
          else onKeyDown?.(event)
        }}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <FileMenu
            id={menu}
            workspace={workspace}
            query={mention.query}
            onChoose={insert}
            onActive={setActive}
            handleKey={handleKey}
          />
        </Suspense>
      )}
    </div>
  )
}
