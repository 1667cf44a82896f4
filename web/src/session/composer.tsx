import { useMutation } from '@tanstack/react-query'
import { SendHorizontal, Square } from 'lucide-react'
import { useState } from 'react'
import { MODES, type Mode } from '../../../src/core/session/mode.ts'
import { api } from '../api/api.ts'
import { useModels } from '../api/queries.ts'
import { AttachmentBar, useAttachments } from '../components/attachments.tsx'
import { Problem } from '../components/problem.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { MODE_WORDS } from '../pages/mode-picker.tsx'
import { ModelPicker } from '../pages/model-picker.tsx'

interface Props {
  readonly session: string
  readonly isRunning: boolean
  readonly model: string | undefined
  readonly mode: Mode | undefined
  /** True while a card waits: Escape then stops nothing. */
  readonly isWaiting: boolean
}

/** The message box: sends, also while the model works; stops the run; changes model and mode. */
export function Composer({ session, isRunning, model, mode, isWaiting }: Props) {
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
    mutationFn: (next: { readonly model?: string; readonly mode?: Mode }) =>
      api().changeSession({ id: session, ...next }),
  })
  const canSend = text.trim() !== '' && !send.isPending
  useKeys(isRunning && !isWaiting, { escape: () => stop.mutate() })
  const problem = send.error ?? stop.error ?? change.error
  return (
    <div className="comp">
      <div>
        {problem && <Problem text={`${problem.message} Your message is not sent yet.`} />}
        <div className="flex" style={{ alignItems: 'flex-end' }}>
          <textarea
            className="in grow"
            rows={Math.min(8, Math.max(1, text.split('\n').length))}
            aria-label="Message"
            placeholder={isRunning ? 'Message. Sent at the next step' : 'Message'}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onPaste={attachments.onPaste}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault()
                if (canSend) send.mutate()
              }
            }}
          />
          {isRunning && (
            <button type="button" className="btn big" onClick={() => stop.mutate()} disabled={stop.isPending}>
              <Square className="i s" strokeWidth={1.75} aria-hidden="true" /> Stop <kbd>Esc</kbd>
            </button>
          )}
          {(!isRunning || text !== '') && (
            <button type="button" className="btn pri big" onClick={() => canSend && send.mutate()} disabled={!canSend}>
              <SendHorizontal className="i s" strokeWidth={1.75} aria-hidden="true" /> Send
            </button>
          )}
        </div>
        <div className="flex wrap comp-row">
          <AttachmentBar attachments={attachments} hint="" />
          <span className="grow" />
          <ModelPicker models={models} value={model} onChange={(next) => change.mutate({ model: next })} isSmall />
          <label className="flex">
            <span className="sr">Mode</span>
            <select
              className={`btn bare${mode === 'auto' ? ' auto' : ''}`}
              value={mode ?? 'ask'}
              title={MODE_WORDS[mode ?? 'ask']}
              onChange={({ target }) => {
                const next = MODES.find((one) => one === target.value)
                if (next) change.mutate({ mode: next })
              }}
            >
              {MODES.map((one) => (
                <option key={one} value={one}>
                  {one.charAt(0).toUpperCase() + one.slice(1)}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
    </div>
  )
}
