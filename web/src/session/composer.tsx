import { useMutation } from '@tanstack/react-query'
import { SendHorizontal, Square } from 'lucide-react'
import { useState } from 'react'
import type { SessionView } from '../../../src/core/session/session-view.ts'
import { api } from '../api/api.ts'
import { useModels } from '../api/queries.ts'
import { AttachmentBar, useAttachments } from '../components/message/attachments.tsx'
import { MessageField } from '../components/message/message-field.tsx'
import { Problem } from '../components/problem.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { ModePicker } from '../pickers/mode-picker.tsx'
import { ModelPicker } from '../pickers/model-picker.tsx'

interface Props {
  readonly view: SessionView
  /** True while a card waits: Escape then stops nothing. */
  readonly isWaiting: boolean
  /** True while what waits is a card, which has keys. */
  readonly hasCard: boolean
  /** Called when a message is sent. */
  readonly onSend: () => void
}

/** The message box: sends, also while the model works; stops the run; changes model and mode. */
export function Composer({ view, isWaiting, hasCard, onSend }: Props) {
  const { session, isRunning, model, mode, workspace } = view
  const [text, setText] = useState('')
  const attachments = useAttachments()
  const models = useModels()
  const send = useMutation({
    mutationFn: (message: string) =>
      api().sendMessage({
        id: session,
        message,
        ...(attachments.list.length > 0 && { attachments: attachments.list }),
      }),
    // The box is free at once: what is typed while a message is on its way belongs to the next.
    onMutate: () => {
      setText('')
      onSend()
    },
    onSuccess: attachments.clear,
    onError: (_, message) => setText((next) => (next === '' ? message : `${message}\n${next}`)),
  })
  const stop = useMutation({ mutationFn: () => api().stopSession({ id: session }) })
  const change = useMutation({
    mutationFn: (next: Omit<Parameters<ReturnType<typeof api>['changeSession']>[0], 'id'>) =>
      api().changeSession({ id: session, ...next }),
  })
  const canSend = text.trim() !== '' && !send.isPending
  const submit = () => canSend && send.mutate(text)
  useKeys(isRunning && !isWaiting, { escape: () => stop.mutate() })
  const problem = stop.error ?? change.error
  return (
    <div className="comp">
      <div>
        {send.error && <Problem text={`${send.error.message} Your message is not sent yet.`} />}
        {problem && <Problem text={problem.message} />}
        <div className="flex comp-line">
          <MessageField
            rows={Math.min(8, Math.max(1, text.split('\n').length))}
            aria-label="Message"
            placeholder="Message"
            value={text}
            onChange={setText}
            workspace={workspace}
            onPaste={attachments.onPaste}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && focusCard()) return event.preventDefault()
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              submit()
            }}
          />
          {isRunning && (
            <button type="button" className="btn big" onClick={() => stop.mutate()} disabled={stop.isPending}>
              <Square className="i s" strokeWidth={1.75} aria-hidden="true" />
              {stop.isPending ? 'Stopping…' : 'Stop'} {!isWaiting && <kbd>Esc</kbd>}
            </button>
          )}
          {(!isRunning || text !== '') && (
            <button type="button" className="btn pri big" onClick={submit} disabled={!canSend}>
              <SendHorizontal className="i s" strokeWidth={1.75} aria-hidden="true" /> Send
            </button>
          )}
        </div>
        <div className="flex wrap comp-row">
          <AttachmentBar
            attachments={attachments}
            hint={
              <span className="hide-s">
                {!isWaiting && (
                  <>
                    <code>@</code> names a file ·{' '}
                  </>
                )}
                <kbd>↵</kbd> sends{isRunning && '; it is read at the next step'} · <kbd>⇧</kbd> <kbd>↵</kbd> new line
                {hasCard && (
                  <>
                    {' '}
                    · <kbd>Esc</kbd> to the card
                  </>
                )}
              </span>
            }
          />
          <span className="grow" />
          <ModelPicker models={models} value={model} onChange={(next) => change.mutate({ model: next })} isSmall />
          <ModePicker value={mode ?? 'ask'} onChange={(next) => change.mutate({ mode: next })} isSmall />
        </div>
      </div>
    </div>
  )
}

/** Moves the focus from the message box to the card that waits, so that its keys count; false where none waits. */
function focusCard(): boolean {
  const sentence = document.querySelector<HTMLElement>('[data-approval] .say')
  sentence?.closest('section')?.scrollIntoView({ block: 'nearest' })
  sentence?.focus({ preventScroll: true })
  return sentence !== null
}
