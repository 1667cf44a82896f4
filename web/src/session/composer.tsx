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
}

/** The message box: sends, also while the model works; stops the run; changes model and mode. */
export function Composer({ view, isWaiting }: Props) {
  const { session, isRunning, model, mode, workspace } = view
  const [text, setText] = useState('')
  const attachments = useAttachments()
  const models = useModels()
  const send = useMutation({
    mutationFn: () =>
      api().sendMessage({
        id: session,
        message: text,
        ...(attachments.list.length > 0 && { attachments: attachments.list }),
      }),
    onSuccess: () => {
      setText('')
      attachments.clear()
    },
  })
  const stop = useMutation({ mutationFn: () => api().stopSession({ id: session }) })
  const change = useMutation({
    mutationFn: (next: Omit<Parameters<ReturnType<typeof api>['changeSession']>[0], 'id'>) =>
      api().changeSession({ id: session, ...next }),
  })
  const canSend = text.trim() !== '' && !send.isPending
  const submit = () => canSend && send.mutate()
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
                <code>@</code> names a file · <kbd>↵</kbd> sends{isRunning && '; it is read at the next step'} ·{' '}
                <kbd>⇧</kbd> <kbd>↵</kbd> new line
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
