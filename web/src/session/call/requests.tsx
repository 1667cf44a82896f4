import { useMutation } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { CallItem, RequestView } from '../../../../src/core/session/session-view.ts'
import { api } from '../../api/api.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'

/** The questions that a call asked the person, with a form for those that have no answer yet. */
export function Requests({ item }: { readonly item: CallItem }) {
  return (
    <>
      {item.requests.map((request) =>
        request.kind === 'input' ? <Question key={request.id} request={request} /> : null,
      )}
    </>
  )
}

function Question({ request }: { readonly request: RequestView }) {
  const [text, setText] = useState('')
  const send = useMutation({ mutationFn: (answer: string) => api().answerInput({ id: request.id, answer }) })
  const question = String(request.asked)
  if ('answer' in request)
    return (
      <p className="why">
        <Shown text={question} />{' '}
        <span className="b">{request.answer === null ? 'No answer.' : <Shown text={String(request.answer)} />}</span>
      </p>
    )
  return (
    <form
      className="in- note ask question"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') send.mutate(text.trim())
      }}
    >
      <CircleHelp className="i" strokeWidth={1.75} aria-hidden="true" />
      <div className="grow col" style={{ gap: 8 }}>
        <label htmlFor={`q-${request.id}`} className="b asked-text">
          <Shown text={question} />
        </label>
        {request.options && request.options.length > 0 && (
          <div className="flex wrap">
            {request.options.map((option) => (
              <button
                key={option}
                type="button"
                className="btn"
                disabled={send.isPending}
                onClick={() => send.mutate(option)}
              >
                <Shown text={option} isLine />
              </button>
            ))}
          </div>
        )}
        <div className="flex">
          <input
            id={`q-${request.id}`}
            className="in grow"
            placeholder={request.options?.length ? 'Or write an answer' : undefined}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <button type="submit" className="btn pri" disabled={send.isPending || text.trim() === ''}>
            Answer
          </button>
        </div>
        {send.error && <Problem text={`The answer was not taken. ${send.error.message}`} />}
      </div>
    </form>
  )
}
