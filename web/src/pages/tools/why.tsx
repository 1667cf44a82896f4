import { useMutation } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { useSessions } from '../../api/queries.ts'
import { Problem } from '../../components/problem.tsx'
import { Shown } from '../../components/shown.tsx'

/** S4.8: says why a tool was not offered, not called, blocked, or its result not used, in a session or at all. */
export function Why({ tool }: { readonly tool: string }) {
  const id = useId()
  const sessions = useSessions()
  const [session, setSession] = useState('')
  const ask = useMutation({
    mutationFn: () => api().explainTool({ name: tool, ...(session !== '' && { session }) }),
  })
  return (
    <section className="why-tool" aria-label="Why was it not used?">
      <h3 className="sec-h">Why was it not used?</h3>
      <div className="flex">
        <label className="sr" htmlFor={id}>
          Session
        </label>
        <select
          id={id}
          className="in"
          value={session}
          onChange={({ target }) => {
            setSession(target.value)
            ask.reset()
          }}
        >
          <option value="">No session: does the tool exist?</option>
          {sessions.map(({ session: one, title }) => (
            <option key={one} value={one}>
              {title ?? 'Untitled'}
            </option>
          ))}
        </select>
        <button type="button" className="btn" disabled={ask.isPending} onClick={() => ask.mutate()}>
          <CircleHelp className="i s" strokeWidth={1.75} aria-hidden="true" />
          Why
        </button>
      </div>
      {ask.error && <Problem text={ask.error.message} />}
      {ask.data && (
        <ul className="answers" role="status">
          {ask.data.findings.map(({ cause, text, call }) => (
            <li key={`${cause} ${call} ${text}`}>
              <span className="tag">{cause.replaceAll('-', ' ')}</span> <Shown text={text} />{' '}
              {call && <Link href={`/log?call=${call}`}>Its story</Link>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
