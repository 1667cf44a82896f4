import { ChevronDown, ChevronRight, GitFork, Pencil, RotateCcw } from 'lucide-react'
import { Collapsible } from 'radix-ui'
import { memo, useState } from 'react'
import type { MessageItem } from '../../../src/core/session/session-view.ts'
import { Prose } from '../components/prose/markdown.tsx'
import { Shown } from '../components/shown.tsx'
import { TimeSince } from '../components/time-since.tsx'
import { shownDuration } from './call-state.ts'

interface Props {
  readonly item: MessageItem
  /** Sends a changed message in place of this one, in a copy of the session. */
  readonly onResend?: ((item: MessageItem, text: string) => void) | undefined
  readonly onFork?: ((item: MessageItem) => void) | undefined
  readonly onRewind?: ((item: MessageItem) => void) | undefined
}

/** A message: the person's in a box, the model's as text with its reasoning folded above. */
export const MessageBlock = memo(function MessageBlock(props: Props) {
  const { item } = props
  if (item.role === 'system') return null
  if (item.isNotice) return <Notice text={item.content} />
  return item.role === 'user' ? <Own {...props} /> : <Reply item={item} />
})

/** What Haft itself told the model. */
function Notice({ text }: { readonly text: string }) {
  return (
    <div className="turn">
      <span>
        Haft told the model: <Shown text={text} />
      </span>
    </div>
  )
}

function Own({ item, onResend, onFork, onRewind }: Props) {
  const [draft, setDraft] = useState<string>()
  if (draft !== undefined)
    return (
      <form
        className="you"
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.trim() !== '') onResend?.(item, draft)
          setDraft(undefined)
        }}
      >
        <textarea
          className="in"
          rows={3}
          value={draft}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit
          autoFocus
          aria-label="Message"
          onChange={({ target }) => setDraft(target.value)}
        />
        <div className="flex end-row">
          <span className="help grow">Goes on in a copy of the session; files stay as they are.</span>
          <button type="button" className="btn" onClick={() => setDraft(undefined)}>
            Back
          </button>
          <button type="submit" className="btn pri">
            Send
          </button>
        </div>
      </form>
    )
  return (
    <div className="you">
      <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <Shown text={item.content} />
      </div>
      {item.attachments.map(({ name, mediaType, content, encoding }) => (
        <div key={name} style={{ marginTop: 8 }}>
          {encoding === 'base64' && /^image\/(png|jpeg|gif|webp)$/.test(mediaType) ? (
            <img
              src={`data:${mediaType};base64,${content}`}
              alt={name}
              style={{ maxHeight: 240, maxWidth: '100%', borderRadius: 5 }}
            />
          ) : (
            <span className="tag line">{name}</span>
          )}
        </div>
      ))}
      {(onResend ?? onFork ?? onRewind) && (
        <div className="acts-you">
          {onResend && <Small label="Edit and resend" Icon={Pencil} onClick={() => setDraft(item.content)} />}
          {onFork && <Small label="Fork from here" Icon={GitFork} onClick={() => onFork(item)} />}
          {onRewind && (
            <Small label="Rewind files and conversation to here" Icon={RotateCcw} onClick={() => onRewind(item)} />
          )}
        </div>
      )}
    </div>
  )
}

/** How long the model reasoned; the time counts while it does. */
function Thought({ item: { isStreaming, content, thoughtMs, at } }: { readonly item: MessageItem }) {
  if (isStreaming && content === '')
    return (
      <span>
        Thinking <TimeSince at={at} />
      </span>
    )
  return thoughtMs === undefined ? 'Thought' : `Thought for ${shownDuration(thoughtMs)}`
}

function Small({
  label,
  Icon,
  onClick,
}: {
  readonly label: string
  readonly Icon: typeof Pencil
  readonly onClick: () => void
}) {
  return (
    <button type="button" className="btn bare ico" aria-label={label} title={label} onClick={onClick}>
      <Icon className="i s" strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}

function Reply({ item }: { readonly item: MessageItem }) {
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="reply" aria-busy={item.isStreaming}>
      {item.reasoning !== '' && (
        <Collapsible.Root open={isOpen} onOpenChange={setOpen}>
          <Collapsible.Trigger className="think">
            <Chevron className="i s" strokeWidth={1.75} aria-hidden="true" />
            <Thought item={item} />
          </Collapsible.Trigger>
          <Collapsible.Content className="reasoning">
            <Shown text={item.reasoning} />
          </Collapsible.Content>
        </Collapsible.Root>
      )}
      {item.content.trim() !== '' && (
        <div className="say_">
          <Prose text={item.content} />
        </div>
      )}
    </div>
  )
}
