import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { CallRecord } from '../../../../src/core/call/call-record.ts'
import { api } from '../../api/api.ts'
import { Shown } from '../../components/shown.tsx'
import { StateIcon } from '../../components/state-icon.tsx'
import { mainText, shownTime, stateOfRecord } from '../log/call-words.ts'

/** The last calls of a tool, each with a link to its story. */
export function LastCalls({ tool }: { readonly tool: string }) {
  const { data } = useQuery({ queryKey: ['log', 'of', tool], queryFn: () => api().listCalls({ tool, limit: 5 }) })
  const calls = (data?.calls ?? []) as readonly CallRecord[]
  if (data && calls.length === 0) return <p className="q">It was not called yet.</p>
  return (
    <ul className="lines">
      {calls.map((record) => {
        const state = stateOfRecord(record)
        return (
          <li key={record.call}>
            <StateIcon state={state} />
            <span className="sr">{state}</span>
            <Link className="m cut grow" href={`/log?call=${record.call}`}>
              <Shown text={mainText(record.arguments) || '{}'} isLine />
            </Link>
            <span className="t1 qq nw">{shownTime(record.at)}</span>
          </li>
        )
      })}
    </ul>
  )
}
