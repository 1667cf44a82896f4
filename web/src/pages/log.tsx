import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { api } from '../api/api.ts'
import { CodeBlock } from '../components/code-block.tsx'
import { Page } from '../components/page.tsx'
import { Problem } from '../components/problem.tsx'
import { Shown } from '../components/shown.tsx'
import { shownDuration } from '../session/call-state.ts'

/** The calls of every session, the newest first; or the full story of one call. */
export function LogPage() {
  const [search] = useSearchParams()
  const call = search.get('call')
  return call === null ? <Calls session={search.get('session') ?? undefined} /> : <Story call={call} />
}

function Calls({ session }: { readonly session: string | undefined }) {
  const { data, error } = useQuery({
    queryKey: ['log', session ?? ''],
    queryFn: () => api().listCalls({ limit: 200, ...(session !== undefined && { session }) }),
  })
  return (
    <Page title="Log">
      <div className="body pad">
        {error && <Problem text={error.message} />}
        {data?.calls.length === 0 && <p className="q">No call was made yet.</p>}
        {data && data.calls.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>When</th>
                <th>Call</th>
                <th>Decision</th>
                <th>Outcome</th>
                <th>Time</th>
              </tr>
            </thead>
            <tbody>
              {data.calls.map(({ call, at, tool, arguments: args, decision, rule, outcome, duration }) => (
                <tr key={call}>
                  <td className="nw">{new Date(at).toLocaleTimeString('en-GB')}</td>
                  <td className="m">
                    <Link href={`/log?call=${call}`}>{tool}</Link> <Shown text={args.slice(0, 200)} isLine />
                  </td>
                  <td>{decision === null ? '' : `${decision}: ${rule}`}</td>
                  <td className={outcome === 'ok' || outcome === null ? '' : 'bad'}>
                    {outcome === null ? 'open' : String(outcome)}
                  </td>
                  <td className="nw">{duration === null ? '' : shownDuration(duration)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Page>
  )
}

function Story({ call }: { readonly call: string }) {
  const { data, error } = useQuery({ queryKey: ['log', 'call', call], queryFn: () => api().listEvents({ call }) })
  return (
    <Page title="One call" actions={<Link href="/log">All calls</Link>}>
      <div className="body pad">
        {error && <Problem text={error.message} />}
        {data?.events.length === 0 && <p className="q">The log has no such call.</p>}
        <ol>
          {data?.events.map((event) => {
            const { type, id, at, session: _session, call: _call, cursor: _cursor, ...rest } = { call: '', ...event }
            return (
              <li key={id} style={{ marginBottom: 12 }}>
                <h2>
                  {type} <span className="qq t1">{new Date(at).toLocaleTimeString('en-GB')}</span>
                </h2>
                {Object.keys(rest).length > 0 && <CodeBlock code={JSON.stringify(rest, null, 2)} language="json" />}
              </li>
            )
          })}
        </ol>
      </div>
    </Page>
  )
}
