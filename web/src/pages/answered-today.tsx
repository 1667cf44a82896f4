import { useQuery } from '@tanstack/react-query'
import { Ban, Check, Clock, type LucideIcon, X } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '../api/api.ts'
import { Shown } from '../components/shown.tsx'
import { mainArgumentOf, shownName } from '../session/call-state.ts'

const ENDS: Readonly<Record<string, readonly [LucideIcon, string, string]>> = {
  ok: [Check, 'ok', 'Approved'],
  DENIED: [Ban, 'off', 'Denied'],
  CANCELLED: [Ban, 'off', 'Cancelled'],
  TIMEOUT: [Clock, 'off', 'Approved; stopped at its time limit'],
}

/** The calls of today that a person has answered, or denied by not answering, and that have ended; the newest first. */
export function AnsweredToday({ titles }: { readonly titles: ReadonlyMap<string, string | null> }) {
  const since = new Date().setHours(0, 0, 0, 0)
  const { data } = useQuery({
    queryKey: ['log', 'answered', since],
    queryFn: () => api().listCalls({ decision: 'ask', since, limit: 30 }),
  })
  const calls =
    data?.calls.filter(
      ({ clearedBy, outcome }) => (clearedBy?.startsWith('person ') && outcome !== null) || outcome === 'DENIED',
    ) ?? []
  if (calls.length === 0) return null
  return (
    <>
      <h2 className="gh">Answered today</h2>
      <ul aria-label="Answered today">
        {calls.map(({ call, tool, arguments: args, session, at, outcome }) => {
          const [Icon, look, word] = ENDS[String(outcome)] ?? [X, 'bad', 'Approved; it failed']
          return (
            <li key={call}>
              <Link className="li" href={`/sessions/${session}`}>
                <Icon className={`i ${look}`} strokeWidth={1.75} aria-hidden="true" />
                <span className="grow">
                  <span className="t cut one">
                    {shownName(tool)}{' '}
                    <code className="q">
                      <Shown text={mainArgumentOf(args)} isLine />
                    </code>
                  </span>
                  <span className="meta">
                    {word} · <Shown text={titles.get(session) ?? 'a call without a session'} isLine />
                  </span>
                </span>
                <span className="meta nw">
                  {new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
